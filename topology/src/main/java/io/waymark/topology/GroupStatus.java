package io.waymark.topology;

import io.waymark.core.OptionText;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What a client believes of a group, and what a call would get now: what {@code inspect} returns.
 *
 * @param group the group
 * @param next where a call would be answered from
 * @param snapshot the last good snapshot, whether it has expired or not
 * @param expiresIn the time until it expires; negative if it has
 * @param failure why the last read gave nothing to serve
 * @param retryIn the time until the store may be asked again after that
 * @param highest the latest stamp that was seen of the group
 * @param silent why the store does not tell of changes; empty while it does
 */
public record GroupStatus(
    String group,
    Next next,
    Optional<GroupSnapshot> snapshot,
    Optional<Duration> expiresIn,
    Optional<UnavailableReason> failure,
    Optional<Duration> retryIn,
    Optional<Stamp> highest,
    Optional<String> silent) {

  /** Where a call would be answered from. */
  public enum Next {
    /** The snapshot that is kept, without a read. */
    CACHE,
    /** A read of the store. */
    READ,
    /** The last good snapshot, after it expired. */
    STALE,
    /** Members that are derived locally. */
    SEED,
    /** The application's own function. */
    FALLBACK,
    /** Nothing: it fails. */
    FAILURE;

    /** The word, such as {@code cache}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One line for people, such as {@code acme -> cache [1.7@c1, expires in 12s]}. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(group).append(" -> ").append(next.text()).append(" [");
    line.append(snapshot.map(kept -> kept.stamp().toString()).orElse("nothing kept"));
    expiresIn.ifPresent(
        in -> line.append(in.isNegative() ? ", expired " : ", expires in ").append(shown(in)));
    expiresIn.filter(Duration::isNegative).ifPresent(in -> line.append(" ago"));
    failure.ifPresent(reason -> line.append(", last read: ").append(reason));
    retryIn.ifPresent(in -> line.append(", asked again in ").append(shown(in)));
    silent.ifPresent(why -> line.append(", no push: ").append(why));
    return line.append(']').toString();
  }

  private static String shown(Duration duration) {
    return OptionText.format(Duration.ofMillis(duration.abs().toMillis()));
  }
}
