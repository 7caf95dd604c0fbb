package io.waymark.cli;

import io.waymark.core.OptionText;
import java.util.Map;

/**
 * The result of a demo in JSON. The names are a contract with scripts.
 *
 * @param parameters what it was started with
 * @param writes see {@link Tally.Counts}
 * @param reads see {@link Tally.Counts}
 * @param staleReads see {@link Tally.Counts}
 * @param failedReads see {@link Tally.Counts}
 * @param failedWrites see {@link Tally.Counts}
 * @param readsByEndpoint see {@link Tally.Counts}
 * @param readsByReason see {@link Tally.Counts}
 * @param replicaShare from 0 to 1, four decimals
 * @param readLatencyMicros see {@link Tally.Counts}
 * @param writeLatencyMicros see {@link Tally.Counts}
 */
record DemoReport(
    Parameters parameters,
    long writes,
    long reads,
    long staleReads,
    long failedReads,
    long failedWrites,
    Map<String, Long> readsByEndpoint,
    Map<String, Long> readsByReason,
    double replicaShare,
    Latency.Percentiles readLatencyMicros,
    Latency.Percentiles writeLatencyMicros) {

  /**
   * What can be repeated.
   *
   * @param seed of every choice
   * @param seconds how long the sessions ran
   * @param sessions how many
   * @param replicas how many
   * @param max connections per endpoint
   * @param lagMillis how late the lagging replica applied
   * @param thinkMillis between two operations of a session
   * @param consistency what a read may miss, as a word
   * @param synchronousCommit {@code on} or {@code off}
   * @param idleWriter whether another transaction was open with writes all the time
   * @param serverVersion such as {@code 18.6}
   */
  record Parameters(
      long seed,
      long seconds,
      int sessions,
      int replicas,
      int max,
      double lagMillis,
      double thinkMillis,
      String consistency,
      String synchronousCommit,
      boolean idleWriter,
      String serverVersion) {}

  static DemoReport of(DemoSettings settings, String serverVersion, Tally.Counts counts) {
    return new DemoReport(
        new Parameters(
            settings.seed(),
            settings.duration().toSeconds(),
            settings.sessions(),
            settings.replicas(),
            settings.max(),
            settings.lag().toNanos() / 1e6,
            settings.think().toNanos() / 1e6,
            OptionText.word(settings.consistency()),
            settings.flushedCommits() ? "on" : "off",
            settings.idleWriter(),
            serverVersion),
        counts.writes(),
        counts.reads(),
        counts.staleReads(),
        counts.failedReads(),
        counts.failedWrites(),
        counts.readsByEndpoint(),
        counts.readsByReason(),
        counts.replicaShare(),
        counts.readLatency(),
        counts.writeLatency());
  }
}
