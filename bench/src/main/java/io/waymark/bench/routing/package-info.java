/**
 * What it costs to choose a member for a call and to say that the call ended: Waymark and its
 * peers, by turns in one JVM for each peer.
 */
@NullMarked
package io.waymark.bench.routing;

import org.jspecify.annotations.NullMarked;
