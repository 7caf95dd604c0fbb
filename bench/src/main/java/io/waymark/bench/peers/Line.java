package io.waymark.bench.peers;

/**
 * What a contender's JVM writes for each result.
 *
 * @param server the version of its PostgreSQL
 * @param result the result
 */
record Line(String server, Result result) {}
