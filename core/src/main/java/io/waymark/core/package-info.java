/**
 * The five rooms that every routed call goes through, and the words that they share.
 *
 * <p>A source says who is there; a {@linkplain io.waymark.core.LiveView view} says what is believed
 * about them; {@link io.waymark.core.Decider} says, without any input or output, who may serve and
 * who serves; a transport carries the call; and {@link io.waymark.core.Attempts} is the one loop
 * that takes a call through all of this. What differs between products (facts, rules, evidence,
 * transport) is given to these types by the products and does not live here. No class of this
 * package opens a socket or starts a thread, and clocks are given to it.
 *
 * <p>What a shard answers its callers with is here too: an {@link io.waymark.core.Outcome}, and the
 * load that {@link io.waymark.core.RoutingLoad} counts.
 */
@NullMarked
package io.waymark.core;

import org.jspecify.annotations.NullMarked;
