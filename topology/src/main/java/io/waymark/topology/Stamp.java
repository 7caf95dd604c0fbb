package io.waymark.topology;

import io.waymark.core.OptionText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When, in the history of one authority, something was issued. Within one authority stamps are
 * ordered by epoch, then by version; they never repeat and never restart, also across deletion and
 * re-creation of a group.
 *
 * <p>Stamps of two authorities do not compare: neither is older or newer, they are different. There
 * is no {@code compareTo} for that reason.
 *
 * @param authority the coordinator that issued it, by an id that no other coordinator has and that
 *     outlives restarts
 * @param epoch raised when the authority's own history may have been lost, as after restoring a
 *     backup; not negative
 * @param version counts the changes within the epoch; not negative
 */
public record Stamp(String authority, long epoch, long version) {
  /**
   * The stamp of what was made in this process and published by nobody; it compares with nothing.
   */
  public static final Stamp LOCAL = new Stamp("", 0, 0);

  private static final Pattern TEXT =
      Pattern.compile("(0|[1-9][0-9]{0,18})\\.(0|[1-9][0-9]{0,18})@(.+)");

  /**
   * @throws IllegalArgumentException if the authority is no usable name or a number is negative.
   *     Only {@link #LOCAL} has an empty authority
   */
  public Stamp {
    if (epoch < 0 || version < 0) {
      throw new IllegalArgumentException(
          "epoch and version of a stamp must not be negative, were " + epoch + " and " + version);
    }
    if (!authority.isEmpty() || epoch != 0 || version != 0) {
      Names.check("authority", authority);
    }
  }

  /** Whether both come from one authority, so that they compare. */
  public boolean isComparableTo(Stamp other) {
    return !isLocal() && authority.equals(other.authority);
  }

  /** Whether this was issued later, by the same authority. */
  public boolean isNewerThan(Stamp other) {
    return isComparableTo(other)
        && (epoch != other.epoch ? epoch > other.epoch : version > other.version);
  }

  /** Whether this is {@link #LOCAL}. */
  public boolean isLocal() {
    return authority.isEmpty();
  }

  /**
   * The stamp of a text such as {@code 1.42@orders-coordinator}, as {@link #toString()} gives it.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static Stamp parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          OptionText.quote(text) + " is no stamp; one looks like 1.42@authority");
    }
    try {
      return new Stamp(
          parts.group(3), Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          OptionText.quote(text) + " is no stamp: a number is too large", e);
    }
  }

  /** Epoch, version and authority, such as {@code 1.42@orders-coordinator}. */
  @Override
  public String toString() {
    return isLocal() ? "local" : epoch + "." + version + "@" + authority;
  }
}
