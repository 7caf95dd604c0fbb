package io.waymark.durable;

import java.time.Duration;

/**
 * What is pending in one channel. Immutable.
 *
 * @param channel the channel's name
 * @param pending keys with a value that is yet to be delivered
 * @param failing those whose last attempt failed
 * @param oldest since the oldest of the values was staged
 */
public record ChannelBacklog(String channel, long pending, long failing, Duration oldest) {}
