package io.waymark.postgres;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;

/** How far behind the primary a replica may be and still serve. */
public sealed interface MaxLag {
  /**
   * Reads the text form: a duration such as {@code 5s}, {@code 500ms} or {@code 2m}, or a size such
   * as {@code 16MB}, {@code 512KB}, {@code 1GB} or {@code 4096B} with steps of 1024.
   *
   * @throws OptionException if the text is neither; a number without a unit is neither
   */
  static MaxLag parse(String text) {
    return OptionText.durationOrSize(
        PostgresOption.ROUTING_MAX_LAG, text, MaxLag.Time::new, MaxLag.Bytes::new);
  }

  /** The text form, which {@link #parse} reads back as the same. */
  String text();

  /**
   * By replay time: how long ago the last replayed transaction committed, by the replica's own
   * clock; 0 when it is caught up.
   *
   * @param ceiling not negative; zero means that only a caught-up replica may serve
   */
  record Time(Duration ceiling) implements MaxLag {
    /**
     * Checks the ceiling.
     *
     * @throws OptionException if it is negative or does not fit in 64 bits of nanoseconds
     */
    public Time {
      OptionValue.notNegative(PostgresOption.ROUTING_MAX_LAG, ceiling);
    }

    @Override
    public String text() {
      return OptionText.format(ceiling);
    }
  }

  /**
   * By log written on the primary and not yet replayed.
   *
   * @param ceiling bytes, not negative; zero means that only a caught-up replica may serve
   */
  record Bytes(long ceiling) implements MaxLag {
    /**
     * Checks the ceiling.
     *
     * @throws OptionException if it is negative
     */
    public Bytes {
      OptionValue.notNegative(PostgresOption.ROUTING_MAX_LAG, ceiling);
    }

    @Override
    public String text() {
      return OptionText.format(ceiling);
    }
  }
}
