package io.waymark.topology;

import java.util.Objects;

/**
 * The value that a member of a group must hold, as its coordinator delivers it. Immutable.
 *
 * <p>An update may arrive twice, and after a newer one. A member keeps the stamp of what it applied
 * last, in the same transaction as the value, and applies an update only if it is newer: see {@link
 * JdbcStateReceiver}, which does so in a database, and {@link MemoryStateReceiver}.
 *
 * @param value the value
 * @param stamp when it was staged for this member; its version counts the changes of the group, and
 *     not the versions that are published
 * @param <T> the type of the value
 */
public record StateUpdate<T>(T value, Stamp stamp) {
  /** Checks. */
  public StateUpdate {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(stamp, "stamp");
  }

  /** The stamp; the value may be secret. */
  @Override
  public String toString() {
    return "update " + stamp;
  }
}
