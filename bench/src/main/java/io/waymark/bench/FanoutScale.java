package io.waymark.bench;

import io.waymark.durable.Codec;
import io.waymark.durable.DurableStore;
import io.waymark.durable.Fanout;
import io.waymark.durable.FanoutHandler;
import io.waymark.durable.FanoutMessage;
import io.waymark.durable.TargetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a large backlog does to a fan-out on SQLite. A store is filled until so many deliveries are
 * pending; then, in rounds, some thousand more are accepted and as many are delivered, and both are
 * timed. This is done with few pending deliveries and with many, and the rates are compared.
 */
@Command(
    name = "FanoutScale",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Rates of accepting and delivering with few and with many pending deliveries.",
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  both rates with many are within --bar times of those with few, and so is the heap",
      "  1  they are not",
      "  2  wrong use"
    })
public final class FanoutScale implements Callable<Integer> {
  private static final String[] TARGETS = {"consumer", "archive"};
  private static final String BODY = "x".repeat(200);
  private static final long MEGABYTE = 1 << 20;

  @Option(
      names = "--few",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many deliveries are pending at first; default 10000.")
  private int few;

  @Option(
      names = "--many",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many deliveries are pending then; default 1000000.")
  private int many;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "11",
      description = "How many rounds are timed at each level; default 11.")
  private int rounds;

  @Option(
      names = "--round",
      paramLabel = "N",
      defaultValue = "4000",
      description = "How many deliveries a round accepts and delivers; default 4000.")
  private int round;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "Where the store's file is made; a temporary folder by default.")
  private @Nullable Path folder;

  @Option(
      names = "--bar",
      paramLabel = "X",
      defaultValue = "1.5",
      description = "How many times slower it may be with many; default 1.5.")
  private double bar;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      defaultValue = "32",
      description = "How much more heap may be in use with many; default 32.")
  private int heap;

  /** Deliveries a second, and megabytes in use after a collection. */
  private record Level(
      Median accepted, Median delivered, double filled, double drained, double mb) {}

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new FanoutScale()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    System.out.printf(
        Locale.ROOT,
        "rounds of %d deliveries, %d at each level; to the disk of %s%n%9s  %-26s %-26s %10s %10s %8s%n",
        round,
        rounds,
        folder == null ? "temporary files" : folder,
        "pending",
        "accepted/s (95 %)",
        "delivered/s (95 %)",
        "filling/s",
        "draining/s",
        "heap MB");
    level(few); // for the compiler
    Level small = print(few, level(few));
    Level large = print(many, level(many));
    double accepting = small.accepted().middle() / large.accepted().middle();
    double delivering = small.delivered().middle() / large.delivered().middle();
    double filling = small.accepted().middle() / large.filled();
    double draining = small.delivered().middle() / large.drained();
    boolean held =
        Math.max(Math.max(accepting, delivering), Math.max(filling, draining)) <= bar
            && large.mb() - small.mb() <= heap;
    System.out.printf(
        Locale.ROOT,
        "times slower with many: accepting %.2f, delivering %.2f; on the way there %.2f and back %.2f;"
            + " %.1f MB more heap%nat most %.2f times and %d MB: %s%n",
        accepting,
        delivering,
        filling,
        draining,
        large.mb() - small.mb(),
        bar,
        heap,
        held ? "holds" : "TOO MUCH");
    return held ? 0 : 1;
  }

  private static Level print(int pending, Level level) {
    System.out.printf(
        Locale.ROOT,
        "%9d  %-26s %-26s %10.0f %10.0f %8.1f%n",
        pending,
        text(level.accepted()),
        text(level.delivered()),
        level.filled(),
        level.drained(),
        level.mb());
    return level;
  }

  private static String text(Median median) {
    return String.format(
        Locale.ROOT, "%.0f (%.0f .. %.0f)", median.middle(), median.low(), median.high());
  }

  private Level level(int pending) throws IOException {
    Path home =
        folder == null
            ? Files.createTempDirectory("waymark-fanout-")
            : Files.createTempDirectory(folder, "waymark-fanout-");
    LongAdder delivered = new LongAdder();
    FanoutHandler<String> handler = batch -> delivered.add(batch.deliveries().size());
    Consumer<TargetOptions> options = o -> o.batchSize(100).concurrency(2).ackOnReturn();
    try (DurableStore store = DurableStore.sqlite(home.resolve("store.db")).open();
        Fanout<String> fanout =
            Fanout.builder(store, "scale", Codec.text())
                .deliver(TARGETS[0], handler, options)
                .deliver(TARGETS[1], handler, options)
                .paused()
                .build()) {
      double filled = accept(fanout, pending);
      double[] accepting = new double[rounds];
      double[] delivering = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        accepting[i] = accept(fanout, round);
        delivering[i] = deliver(fanout, delivered, round);
      }
      double mb = usedHeap();
      requireExact(fanout, delivered, (long) pending + (long) rounds * round);
      double drained = deliver(fanout, delivered, (int) fanout.pendingDeliveries());
      return new Level(Median.of(accepting), Median.of(delivering), filled, drained, mb);
    } finally {
      delete(home);
    }
  }

  /** Accepts so many deliveries; how many a second. */
  private static double accept(Fanout<String> fanout, int deliveries) {
    int messages = deliveries / TARGETS.length;
    long begun = System.nanoTime();
    for (int done = 0; done < messages; done += 100) {
      List<FanoutMessage<String>> batch = new ArrayList<>(100);
      for (int i = done; i < Math.min(messages, done + 100); i++) {
        batch.add(FanoutMessage.of(BODY));
      }
      if (!fanout.accept(batch).isAccepted()) {
        throw new IllegalStateException("a batch was rejected");
      }
    }
    return deliveries * 1e9 / (System.nanoTime() - begun);
  }

  /** Has at least so many deliveries made; how many a second. */
  private static double deliver(Fanout<String> fanout, LongAdder delivered, int deliveries) {
    long before = delivered.sum();
    long begun = System.nanoTime();
    fanout.resume();
    while (delivered.sum() - before < deliveries) {
      LockSupport.parkNanos(100_000);
    }
    double rate = (delivered.sum() - before) * 1e9 / (System.nanoTime() - begun);
    fanout.pause();
    return rate;
  }

  /** What is counted is what is there, once the attempts under way have ended. */
  private static void requireExact(Fanout<String> fanout, LongAdder delivered, long accepted) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (fanout.pendingDeliveries() + delivered.sum() != accepted) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            fanout.pendingDeliveries() + " pending and " + delivered.sum() + " of " + accepted);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static double usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      runtime.gc();
    }
    return (double) (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
  }

  private static void delete(Path home) throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
