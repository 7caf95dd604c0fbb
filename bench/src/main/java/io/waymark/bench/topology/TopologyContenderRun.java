package io.waymark.bench.topology;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/**
 * One contender, in a JVM and with servers of its own. Its result is one line of JSON on stdout.
 */
public final class TopologyContenderRun {
  private static final String FOLLOWED = "followed";
  private static final long PATIENCE_SECONDS = 60;

  private final TopologyPlan plan;
  private final Subject subject;
  private final Arrivals arrivals;
  private long number;

  private TopologyContenderRun(TopologyPlan plan, Subject subject) {
    this.plan = plan;
    this.subject = subject;
    this.arrivals = new Arrivals(plan.readers());
  }

  /**
   * Runs it.
   *
   * @param args the contender's constant and the {@link TopologyPlan}
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err); // stdout is for the result, whatever libraries think
    TopologyResult result =
        run(
            TopologyContender.valueOf(args[0]),
            TopologyPlan.of(Arrays.asList(args).subList(1, args.length)));
    out.println(JsonMapper.shared().writeValueAsString(result));
    System.exit(0); // what libraries leave running would hold it up
  }

  /** Starts servers, measures, and stops them. */
  static TopologyResult run(TopologyContender contender, TopologyPlan plan) throws Exception {
    try (Subject subject = contender.open()) {
      TopologyContenderRun run = new TopologyContenderRun(plan, subject);
      Times times = run.times();
      double updates = run.updatesPerSecond();
      return new TopologyResult(
          contender.word(),
          subject.servers(),
          updates,
          times.sinceCommit(),
          times.sinceCall(),
          times.changes(),
          null);
    }
  }

  /** What it took until the last reader had a change. */
  private record Times(Quantiles sinceCall, Quantiles sinceCommit, int changes) {}

  /** One change after the other, each once all readers have the one before. */
  private Times times() throws Exception {
    try (Subject.Writer first = subject.writer(true)) {
      first.write(FOLLOWED, ++number); // there to be found before anybody looks
    }
    for (int i = 0; i < plan.readers(); i++) {
      int reader = i;
      subject.follow(reader, FOLLOWED, seen -> arrivals.seen(reader, seen));
    }
    try (Subject.Writer writer = subject.writer(false)) {
      awaitWatching(writer);
      changes(writer, plan.warmUp().toNanos());
      List<long[]> timed = changes(writer, plan.timed().toNanos());
      return new Times(quantiles(timed, 0), quantiles(timed, 1), timed.size());
    }
  }

  /**
   * Until every reader has heard of a change: a watch begins at some time after it was asked for.
   */
  private void awaitWatching(Subject.Writer writer) throws Exception {
    CompletableFuture<Long> last = arrivals.expect(number + 1);
    long begun = System.nanoTime();
    while (!last.isDone()) {
      if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
        throw new IllegalStateException("some readers heard of no change");
      }
      writer.write(FOLLOWED, ++number);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private List<long[]> changes(Subject.Writer writer, long nanos) throws Exception {
    List<long[]> timed = new ArrayList<>();
    for (long begun = System.nanoTime(); System.nanoTime() - begun < nanos; ) {
      CompletableFuture<Long> last = arrivals.expect(++number);
      long called = System.nanoTime();
      writer.write(FOLLOWED, number);
      long committed = System.nanoTime();
      long seen = last.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      timed.add(new long[] {seen - called, Math.max(0, seen - committed)});
    }
    return timed;
  }

  private static Quantiles quantiles(List<long[]> rows, int column) {
    return Quantiles.of(rows.stream().mapToLong(row -> row[column]).sorted().toArray());
  }

  /** All writers at once, each with groups of its own. */
  private double updatesPerSecond() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(plan.writers());
    try (Subject.Writer writer = subject.writer(true)) {
      updates(threads, writer, plan.warmUp().toNanos());
      long begun = System.nanoTime();
      long made = updates(threads, writer, plan.timed().toNanos());
      return made * 1e9 / (System.nanoTime() - begun);
    } finally {
      threads.shutdownNow();
    }
  }

  private long updates(ExecutorService threads, Subject.Writer writer, long nanos)
      throws Exception {
    long from = number + 1;
    int share = Math.max(1, plan.groups() / plan.writers());
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < plan.writers(); i++) {
      int first = i * share;
      running.add(
          threads.submit(
              () -> {
                long made = 0;
                for (long begun = System.nanoTime(); System.nanoTime() - begun < nanos; made++) {
                  writer.write("group-" + (first + made % share), from + made);
                }
                return made;
              }));
    }
    long made = 0;
    long most = 0;
    for (Future<Long> each : running) {
      long one = each.get();
      made += one;
      most = Math.max(most, one);
    }
    number = from + most;
    return made;
  }
}
