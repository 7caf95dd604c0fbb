package io.waymark.coordinator;

import io.waymark.topology.Stamp;

/**
 * What came of a change that is committed, or was none. Immutable.
 *
 * @param stamp the group's stamp now; version 0 for a group that never was
 * @param changed whether anything was changed
 * @param published whether what readers find is final: the store has this stamp or a newer one. If
 *     not, it goes on being tried
 */
public record UpdateResult(Stamp stamp, boolean changed, boolean published) {
  /** The group's version: counts the changes of its members, across deletion too. */
  public long version() {
    return stamp.version();
  }
}
