package io.waymark.cli;

import io.waymark.postgres.Consistency;
import java.time.Duration;

/**
 * What a demo was started with.
 *
 * @param duration how long the sessions run
 * @param sessions how many
 * @param replicas how many the cluster has
 * @param max connections per endpoint
 * @param pgVersion the server's major version; 0 for the bundled one
 * @param lag how late the lagging replica applies
 * @param think how long a session rests between two operations
 * @param consistency what a read may miss
 * @param flushedCommits whether a commit waits until its log is flushed: {@code synchronous_commit}
 * @param idleWriter whether another transaction is open all the time, with writes of its own
 * @param seed of every choice
 */
record DemoSettings(
    Duration duration,
    int sessions,
    int replicas,
    int max,
    int pgVersion,
    Duration lag,
    Duration think,
    Consistency consistency,
    boolean flushedCommits,
    boolean idleWriter,
    long seed) {}
