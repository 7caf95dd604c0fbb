/**
 * Chooses one of several shards for each push, by their load or by a rule of the application's, and
 * calls it once.
 *
 * <ul>
 *   <li>{@link io.waymark.topology.routing.ShardRouter} is the front door: shards by number, by
 *       name or from a topology group, one push at a time.
 *   <li>{@link io.waymark.topology.routing.ShardPicker} is its choosing part on its own: a pick,
 *       and what came of it.
 * </ul>
 *
 * <p>How a shard is reached is the application's affair, and so is what a shard does with a push:
 * nothing here opens a socket, starts a thread or stores anything. What is observed of shards is
 * this process's own and is forgotten with it.
 */
@NullMarked
package io.waymark.topology.routing;

import org.jspecify.annotations.NullMarked;
