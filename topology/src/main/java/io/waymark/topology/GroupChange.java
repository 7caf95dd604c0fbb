package io.waymark.topology;

import java.util.Optional;

/**
 * What a client believes of a group has changed. Where changes come faster than a listener takes
 * them, those of one group are told as one.
 *
 * @param group the group
 * @param before the snapshot until now; empty if there was none
 * @param after the snapshot now; empty if the group was deleted or is missing. A snapshot that
 *     merely expired is still told here until something else is known
 */
public record GroupChange(
    String group, Optional<GroupSnapshot> before, Optional<GroupSnapshot> after) {}
