package io.waymark.durable;

/**
 * What is pending at one target. Immutable.
 *
 * @param target the target
 * @param configured whether this process serves it; work for a target that nobody serves waits
 * @param pending messages that it has not settled, dead letters that are not written included
 */
public record TargetBacklog(String target, boolean configured, long pending) {}
