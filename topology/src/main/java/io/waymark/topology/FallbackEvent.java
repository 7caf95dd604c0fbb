package io.waymark.topology;

import java.util.Locale;

/**
 * A call got something else than a published snapshot that is up to date.
 *
 * @param group the group that was asked for
 * @param source what it got
 * @param reason why
 */
public record FallbackEvent(String group, Source source, UnavailableReason reason) {
  /** What stood in, in the order in which they are tried. */
  public enum Source {
    /** The last good snapshot, after it expired. */
    STALE,
    /** Members that were derived locally. */
    SEED,
    /** What the application's own function gave. */
    FALLBACK;

    /** The word in metrics, such as {@code stale}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
      return text();
    }
  }
}
