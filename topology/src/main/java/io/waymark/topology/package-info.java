/**
 * The members of a group as its coordinator published them, for all who use them.
 *
 * <ul>
 *   <li>Values: {@link io.waymark.topology.GroupSnapshot} with its {@link
 *       io.waymark.topology.Member}s, {@link io.waymark.topology.Tombstone}, and the {@link
 *       io.waymark.topology.Stamp} that orders them; {@link io.waymark.topology.SnapshotCodec} is
 *       their only encoded form.
 *   <li>Reading: {@link io.waymark.topology.TopologyClient} over a {@link
 *       io.waymark.topology.SnapshotReader}.
 *   <li>Publishing: {@link io.waymark.topology.SnapshotPublisher}, which the coordinator calls and
 *       stores implement. It lives here so that a store needs no coordinator.
 *   <li>Receiving states: {@link io.waymark.topology.StateUpdate}, and what applies it only when it
 *       is newer, {@link io.waymark.topology.JdbcStateReceiver} in the member's own transaction and
 *       {@link io.waymark.topology.MemoryStateReceiver}.
 * </ul>
 *
 * <p>No database, no coordinator and no network library is needed here. Only the coordinator, which
 * lives elsewhere, decides what a group's members are.
 */
@NullMarked
package io.waymark.topology;

import org.jspecify.annotations.NullMarked;
