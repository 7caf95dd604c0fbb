package io.waymark.topology;

/**
 * The group was deleted. It stays in the store in the place of the snapshot, so that an older
 * snapshot that arrives late cannot bring the group back, and so that deleted and forgotten can be
 * told apart.
 *
 * @param group the group's name
 * @param stamp when it was deleted; newer than every snapshot before, and older than those after
 *     the group was created again
 */
public record Tombstone(String group, Stamp stamp) implements Published {
  /**
   * @throws IllegalArgumentException if the group is no usable name
   */
  public Tombstone {
    Names.check("group", group);
  }
}
