package io.waymark.cli.shards;

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
 * @param events what was done to them lately, the newest last
 * @param eventCount how many events there were in all
 * @param counts so far
 */
public record ShardsState(
    ShardsSettings settings,
    String store,
    Duration elapsed,
    String phase,
    String committed,
    List<Row> processes,
    List<String> events,
    long eventCount,
    ShardsCounts counts) {

  /**
   * One process.
   *
   * @param name such as {@code member-2}
   * @param state such as {@code paused}
   * @param starts how often it was started
   * @param meaning what it does, holds or believes
   */
  public record Row(String name, String state, int starts, String meaning) {}
}
