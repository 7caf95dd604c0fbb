package io.waymark.topology.routing;

/**
 * A shard was chosen for a push, which is about to be sent.
 *
 * @param shard which, with the hint where to place it if there is one
 * @param reason why, in the text form of reasons: {@code auto:shard-3}, {@code key:acme-1}
 */
public record PushEvent(Shard shard, String reason) {}
