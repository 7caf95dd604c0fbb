/**
 * Waymark and its peers on real servers, side by side: what a call costs, and what reads come to
 * when a replica lags, dies or falls silent. Each contender runs in a JVM of its own, with a
 * cluster of its own, next to HikariCP alone.
 */
@NullMarked
package io.waymark.bench.peers;

import org.jspecify.annotations.NullMarked;
