/**
 * How fast changes of groups reach readers: Waymark's coordinator and its stores, beside what
 * others offer for the same, the watches of etcd and of ZooKeeper. Each contender runs in a JVM of
 * its own, with servers of its own, under the same load.
 */
@NullMarked
package io.waymark.bench.topology;

import org.jspecify.annotations.NullMarked;
