package io.waymark.bench;

import io.waymark.bench.routing.LoadBenchmark;
import io.waymark.bench.routing.PickBenchmark;
import io.waymark.postgres.DecisionBenchmark;
import io.waymark.postgres.Select;
import io.waymark.postgres.StatementPath;
import io.waymark.topology.TopologyBenchmark;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Holds what routing and a client's cached reads may allocate. Bytes are exact where times are not,
 * so that they can be held on any machine; the bars leave room for what the compiler does
 * differently from run to run, and none for another object per replica. Times are held where they
 * must not grow with the number of members, with bars that a slow machine passes and a search
 * through a thousand members does not.
 */
public final class Bars {
  private static final int REPLICAS = 3;
  private static final double DECISION = 24;
  private static final double READ = 1_300;
  private static final double WRITE = 1_600;
  private static final int GROUPS = 1024;
  private static final double CACHED_GROUP = 0;
  private static final int[] SHARDS = {16, 1_000};
  private static final double PICK = 40;
  private static final double PICK_NANOS = 600;
  private static final double COUNTED_CALL = 0;

  private static final int BATCH = 5_000;
  private static final long PATIENCE = 2_000_000_000;

  private boolean held = true;
  private int sink;

  private Bars() {}

  /** Measures, says what came of it, and ends with status 1 where a bar is passed. */
  public static void main(String[] args) throws SQLException {
    Bars bars = new Bars();
    bars.decisions();
    bars.statements();
    bars.groups();
    bars.picks();
    if (!bars.held || bars.sink == 0) {
      System.exit(1);
    }
  }

  private void decisions() throws SQLException {
    for (Select.BuiltIn select : Select.BuiltIn.values()) {
      for (boolean token : new boolean[] {false, true}) {
        DecisionBenchmark decision = new DecisionBenchmark();
        decision.replicas = REPLICAS;
        decision.select = select;
        decision.token = token;
        decision.setUp();
        try {
          hold(
              "decision, " + select + (token ? ", after a write" : ""),
              bytes(() -> decision.decide() == null ? 0 : 1),
              DECISION);
        } finally {
          decision.tearDown();
        }
      }
    }
  }

  private void statements() throws SQLException {
    try (StatementPath plain = StatementPath.plain();
        StatementPath routed = StatementPath.routed()) {
      for (Operation operation : Operation.values()) {
        double added = bytes(() -> operation.on(routed)) - bytes(() -> operation.on(plain));
        hold(operation + ", added", added, operation == Operation.WRITE ? WRITE : READ);
      }
    }
  }

  private void groups() throws SQLException {
    TopologyBenchmark reads = new TopologyBenchmark();
    reads.groups = GROUPS;
    reads.setUp();
    TopologyBenchmark.Turn turn = new TopologyBenchmark.Turn();
    try {
      hold("a group that is kept", bytes(() -> reads.get(turn).members().size()), CACHED_GROUP);
    } finally {
      reads.tearDown();
    }
  }

  private void picks() throws SQLException {
    for (int members : SHARDS) {
      PickBenchmark picks = new PickBenchmark();
      picks.members = members;
      picks.setUp();
      String what = "pick and release among " + members;
      hold(what, bytes(() -> picks.pickAndRelease().length()), PICK);
      holdNanos(what, nanos(() -> picks.pickAndRelease().length()), PICK_NANOS);
    }
    LoadBenchmark load = new LoadBenchmark();
    hold("a call that a shard counts", bytes(() -> (int) load.call() | 1), COUNTED_CALL);
  }

  private interface Call {
    int run() throws SQLException;
  }

  /** Bytes per call, once the compiler is done with it. */
  private double bytes(Call call) throws SQLException {
    long least = Long.MAX_VALUE;
    long until = System.nanoTime() + PATIENCE;
    while (System.nanoTime() < until) {
      long before = Allocation.bytes();
      for (int i = 0; i < BATCH; i++) {
        sink |= call.run();
      }
      least = Math.min(least, Allocation.bytes() - before);
    }
    return (double) least / BATCH;
  }

  /** Nanoseconds per call in the best of many batches. */
  private double nanos(Call call) throws SQLException {
    long least = Long.MAX_VALUE;
    long until = System.nanoTime() + PATIENCE;
    while (System.nanoTime() < until) {
      long started = System.nanoTime();
      for (int i = 0; i < BATCH; i++) {
        sink |= call.run();
      }
      least = Math.min(least, System.nanoTime() - started);
    }
    return (double) least / BATCH;
  }

  private void hold(String what, double bytes, double bar) {
    hold(what, "B ", bytes, bar);
  }

  private void holdNanos(String what, double nanos, double bar) {
    hold(what, "ns", nanos, bar);
  }

  private void hold(String what, String unit, double measured, double bar) {
    boolean holds = measured <= bar;
    held &= holds;
    System.out.printf(
        Locale.ROOT,
        "%-40s %6.0f %s of %6.0f  %s%n",
        what,
        measured,
        unit,
        bar,
        holds ? "holds" : "TOO MUCH");
  }
}
