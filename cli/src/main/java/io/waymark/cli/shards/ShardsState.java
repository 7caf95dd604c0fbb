package io.waymark.cli.shards;

import io.waymark.cli.processes.Events;
import io.waymark.cli.processes.WorkerRow;
import java.time.Duration;
import java.util.List;

/**
 * One moment of a running demo: what its view shows.
 *
 * @param settings what it was started with
 * @param store for people, with its version
 * @param elapsed since everything was up
 * @param phase what goes on, in a few words
 * @param committed the newest state of the group that a coordinator told of, for people
 * @param processes all of them
 * @param events what was done to them
 * @param counts so far
 */
public record ShardsState(
    ShardsSettings settings,
    String store,
    Duration elapsed,
    String phase,
    String committed,
    List<WorkerRow> processes,
    Events events,
    ShardsCounts counts) {}
