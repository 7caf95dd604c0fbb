/**
 * Published groups in Redis 6 or newer: {@link io.waymark.publish.redis.RedisSnapshots} reads them
 * and {@link io.waymark.publish.redis.RedisPublisher} writes them. Readers do not need the
 * coordinator.
 *
 * <p>A single server, or a primary with replicas behind Sentinel; Redis Cluster is not supported.
 */
@NullMarked
package io.waymark.publish.redis;

import org.jspecify.annotations.NullMarked;
