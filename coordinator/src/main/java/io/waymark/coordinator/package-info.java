/**
 * The one authority that owns the members of groups and the values that every member must hold.
 *
 * <ul>
 *   <li>{@link io.waymark.coordinator.TopologyCoordinator} is the front door: it changes groups,
 *       publishes them, and delivers states.
 *   <li>{@link io.waymark.coordinator.GroupDraft} is what a change is made of; {@link
 *       io.waymark.coordinator.StateChannel} a kind of value that members must hold.
 * </ul>
 *
 * <p>Everything durable, and every attempt to bring something somewhere, is the work of {@code
 * io.waymark.durable}. What is published, and who may read it, is {@code io.waymark.topology},
 * which needs nothing of this.
 */
@NullMarked
package io.waymark.coordinator;

import org.jspecify.annotations.NullMarked;
