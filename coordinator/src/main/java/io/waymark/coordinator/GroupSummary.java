package io.waymark.coordinator;

import io.waymark.topology.Stamp;

/**
 * A group in a list. Immutable.
 *
 * @param name the group's name
 * @param stamp its newest stamp
 * @param members how many it has; 0 if it is deleted
 * @param deleted whether it was deleted: its name is kept so that versions go on counting
 */
public record GroupSummary(String name, Stamp stamp, int members, boolean deleted) {}
