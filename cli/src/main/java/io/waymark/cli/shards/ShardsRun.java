package io.waymark.cli.shards;

import io.waymark.core.OptionText;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.topology.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The demo of shards from the start of its processes to their end. It ends all of them and removes
 * its files, also when the JVM is told to end in the middle.
 */
public final class ShardsRun implements AutoCloseable {
  private static final long FRAME_MILLIS = 250;
  private static final int LANES = 2;
  private static final int EVENTS = 8;
  private static final Duration START = Duration.ofSeconds(60);

  private static final Duration END = Duration.ofSeconds(3);

  /** A claim of a coordinator that was killed ends after one attempt's time and ten seconds. */
  private static final Duration CONVERGENCE = Duration.ofSeconds(45);

  private final ShardsSettings settings;
  private final Judge judge = new Judge();
  private final Load load = new Load(judge);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final Deque<String> events = new ArrayDeque<>();
  private final ReentrantLock telling = new ReentrantLock();
  private final Thread hook = new Thread(this::release, "waymark-demo-shutdown");
  private long eventCount;
  private volatile @Nullable PostgresCluster cluster;
  private volatile @Nullable Path folder;
  private volatile @Nullable Trouble trouble;
  private volatile long begun;
  private volatile String phase = "starting";

  /** Nothing is started yet. */
  public ShardsRun(ShardsSettings settings) {
    this.settings = settings;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Runs it all.
   *
   * @param watch is shown a state several times a second
   * @return what was found in the end
   * @throws IOException if the processes could not be run
   * @throws SQLException if the server could not be prepared
   * @throws InterruptedException if the thread is interrupted
   */
  public ShardsCounts.Outcome run(Consumer<ShardsState> watch)
      throws IOException, SQLException, InterruptedException {
    begun = System.nanoTime();
    Place place = place();
    Trouble troubling = start(place);
    await(START, watch, () -> workers.stream().allMatch(ShardsRun::isRunning));
    requireAll("within " + START.toSeconds() + " s");
    SplittableRandom random = new SplittableRandom(settings.seed());
    random.split(); // the one of trouble
    List<Thread> lanes = lanes(random);
    phase = "changes under load, processes are killed and paused";
    begun = System.nanoTime();
    troubling.begin();
    await(settings.duration(), watch, () -> failure() != null);
    phase = "no more trouble: all must end with the newest";
    troubling.calm();
    stop.countDown();
    await(START, watch, () -> workers.stream().allMatch(ShardsRun::isRunning) && ended(lanes));
    requireAll("again after the trouble");
    Said.Acknowledged last = settle(watch);
    await(CONVERGENCE, watch, () -> isConverged(last));
    ShardsCounts.Outcome outcome = outcome(last);
    phase = outcome.held() ? "held" : "not held";
    watch.accept(state());
    return outcome;
  }

  // ---- starting --------------------------------------------------------------------------------

  private Place place() throws IOException, SQLException {
    Path made = Files.createTempDirectory("waymark-shards-");
    folder = made;
    return new Place(
        made, settings.store() == ShardsSettings.Store.POSTGRES ? startPostgres() : "");
  }

  private String startPostgres() throws SQLException {
    PostgresCluster started = PostgresCluster.builder().replicas(0).proxied(false).start();
    cluster = started;
    try (Connection connection = started.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE " + Pools.ROLE + " LOGIN");
      statement.execute("CREATE SCHEMA AUTHORIZATION " + Pools.ROLE);
    }
    return started.primary().url();
  }

  private Trouble start(Place place) {
    for (int i = 1; i <= settings.store().coordinators(); i++) {
      workers.add(new WorkerProcess("coordinator-" + i, place, this::heard));
    }
    for (String member : Place.MEMBERS) {
      workers.add(new WorkerProcess(member, place, this::heard));
    }
    for (int i = 1; i <= settings.readers(); i++) {
      workers.add(new WorkerProcess("reader-" + i, place, this::heard));
    }
    SplittableRandom random = new SplittableRandom(settings.seed());
    Trouble made = new Trouble(workers, random.split(), this::happened);
    trouble = made;
    made.start();
    return made;
  }

  private List<Thread> lanes(SplittableRandom random) {
    List<Thread> lanes = new ArrayList<>();
    for (WorkerProcess coordinator : coordinators()) {
      for (int i = 1; i <= LANES; i++) {
        SplittableRandom own = random.split();
        Thread thread =
            new Thread(
                () -> load.lane(coordinator, own, stop),
                "waymark-demo-load-" + coordinator.name() + "-" + i);
        thread.setDaemon(true);
        thread.start();
        lanes.add(thread);
      }
    }
    return lanes;
  }

  private List<WorkerProcess> coordinators() {
    return workers.subList(0, settings.store().coordinators());
  }

  private void heard(WorkerProcess who, int life, Said said) {
    judge.heard(who.name(), life, said);
    load.heard(said);
  }

  private void happened(String event) {
    telling.lock();
    try {
      eventCount++;
      events.addLast(
          String.format(Locale.ROOT, "%6.1f s  %s", elapsed().toMillis() / 1000.0, event));
      if (events.size() > EVENTS) {
        events.removeFirst();
      }
    } finally {
      telling.unlock();
    }
  }

  // ---- watching --------------------------------------------------------------------------------

  private static boolean isRunning(WorkerProcess worker) {
    return worker.state() == WorkerProcess.State.RUNNING;
  }

  private static boolean ended(List<Thread> threads) {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  /** Shows the state until the time is over or something has come true. */
  private void await(Duration most, Consumer<ShardsState> watch, BooleanSupplier done)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    while (true) {
      watch.accept(state());
      boolean end = done.getAsBoolean();
      String failure = failure();
      if (failure != null) {
        throw new IOException(failure);
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (end || left <= 0) {
        return;
      }
      Thread.sleep(Math.min(left, FRAME_MILLIS));
    }
  }

  private @Nullable String failure() {
    Trouble troubling = trouble;
    RuntimeException failed = troubling == null ? null : troubling.failure();
    return failed != null
        ? String.valueOf(failed.getMessage())
        : workers.stream()
            .map(WorkerProcess::failure)
            .filter(f -> f != null)
            .findFirst()
            .orElse(null);
  }

  private void requireAll(String when) throws IOException {
    for (WorkerProcess worker : workers) {
      if (!isRunning(worker)) {
        throw new IOException(worker.name() + " did not run " + when);
      }
    }
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private ShardsState state() {
    List<String> latest;
    long count;
    telling.lock();
    try {
      latest = List.copyOf(events);
      count = eventCount;
    } finally {
      telling.unlock();
    }
    Said.Acknowledged newest = judge.newest();
    PostgresCluster started = cluster;
    return new ShardsState(
        settings,
        started == null ? "SQLite" : "PostgreSQL " + started.version(),
        elapsed(),
        phase,
        newest == null
            ? "nothing yet"
            : shown(newest.stamp())
                + " ("
                + newest.members()
                + "), limit "
                + limit(newest.limits()),
        workers.stream().map(this::row).toList(),
        latest,
        count,
        counts());
  }

  private ShardsState.Row row(WorkerProcess worker) {
    return new ShardsState.Row(
        worker.name(), OptionText.word(worker.state()), worker.starts(), meaning(worker.name()));
  }

  private String meaning(String worker) {
    Said.Holds holds = judge.held(worker);
    if (holds != null) {
      return holds.stamp().isEmpty()
          ? "holds nothing"
          : "holds limit " + holds.rate() + " r" + holds.revision();
    }
    Said.Believes believes = judge.believes(worker);
    if (believes != null) {
      return believes.stamp().isEmpty()
          ? "knows nothing"
          : "believes " + shown(believes.stamp()) + " (" + believes.members() + ")";
    }
    return "";
  }

  private static String limit(Limits limits) {
    return limits.rate() + " r" + limits.revision();
  }

  /** Epoch and version; all are of one authority, whose name is long. */
  private static String shown(String stamp) {
    Stamp parsed = Stamp.parse(stamp);
    return parsed.epoch() + "." + parsed.version();
  }

  private ShardsCounts counts() {
    Trouble troubling = trouble;
    return troubling == null
        ? judge.counts(0, 0)
        : judge.counts(troubling.crashes(), troubling.pauses());
  }

  // ---- the end ---------------------------------------------------------------------------------

  /** One last change, until a coordinator has acknowledged one. */
  private Said.Acknowledged settle(Consumer<ShardsState> watch)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + CONVERGENCE.toNanos();
    Said said = null;
    while (System.nanoTime() - deadline < 0) {
      for (WorkerProcess coordinator : coordinators()) {
        watch.accept(state());
        said = load.ask(coordinator, new Order(judge.updates().next(), Order.Kind.SETTLE, "", 0));
        if (said instanceof Said.Acknowledged acknowledged) {
          return acknowledged;
        }
      }
    }
    throw new IOException("no coordinator acknowledged the last change: " + said);
  }

  private boolean isConverged(Said.Acknowledged last) {
    return late(last).isEmpty();
  }

  /** Who does not have the newest, in words. */
  private List<String> late(Said.Acknowledged last) {
    List<String> late = new ArrayList<>(lateMembers(last));
    late.addAll(lateReaders(last));
    return late;
  }

  private List<String> lateMembers(Said.Acknowledged last) {
    return Place.MEMBERS.stream()
        .filter(
            member -> {
              Said.Holds holds = judge.held(member);
              return holds == null
                  || holds.revision() != last.limits().revision()
                  || holds.rate() != last.limits().rate();
            })
        .map(
            member ->
                member
                    + " "
                    + meaning(member)
                    + " and not the newest, limit "
                    + limit(last.limits()))
        .toList();
  }

  private List<String> lateReaders(Said.Acknowledged last) {
    return workers.stream()
        .map(WorkerProcess::name)
        .filter(name -> name.startsWith("reader"))
        .filter(
            reader -> {
              Said.Believes believes = judge.believes(reader);
              return believes == null || !believes.stamp().equals(last.stamp());
            })
        .map(
            reader ->
                reader + " " + meaning(reader) + " and not the newest, " + shown(last.stamp()))
        .toList();
  }

  private ShardsCounts.Outcome outcome(Said.Acknowledged last)
      throws IOException, InterruptedException {
    Said said = load.ask(coordinators().get(0), new Order(Order.QUESTION, Order.Kind.TELL, "", 0));
    if (!(said instanceof Said.Acknowledged end)) {
      throw new IOException("the final state could not be read: " + said);
    }
    List<Long> lost = judge.updates().lost(Numbers.parse(end.limits().updates()));
    ShardsCounts counts = counts();
    List<String> problems = new ArrayList<>(late(last));
    if (!end.stamp().equals(last.stamp()) || end.limits().revision() != last.limits().revision()) {
      problems.add("The group went on changing after the last change.");
    }
    Numbers present = Numbers.parse(end.limits().updates());
    if (present.size() != end.limits().revision()) {
      problems.add("An update went in twice.");
    }
    if (!lost.isEmpty()) {
      problems.add("Acknowledged updates are not in the final state: " + first(lost) + ".");
    }
    if (counts.regressionsSeen() > 0) {
      problems.add("Readers went back " + counts.regressionsSeen() + " times.");
    }
    if (counts.staleDeliveriesApplied() > 0) {
      problems.add("Members went back " + counts.staleDeliveriesApplied() + " times.");
    }
    if (counts.updates() == 0 || counts.published() == 0 || counts.deliveries() == 0) {
      problems.add("Too little was done to check anything: give it more --seconds.");
    }
    return new ShardsCounts.Outcome(
        counts,
        lost.size(),
        lateMembers(last).isEmpty(),
        lateReaders(last).isEmpty(),
        List.copyOf(problems));
  }

  private static String first(List<Long> numbers) {
    return numbers.size() <= 10 ? numbers.toString() : numbers.subList(0, 10) + " and more";
  }

  /** Ends all processes and the server, and removes the files. Idempotent. */
  private void release() {
    stop.countDown();
    Trouble troubling = trouble;
    if (troubling != null) {
      troubling.close();
    }
    workers.forEach(WorkerProcess::end);
    try {
      long deadline = System.nanoTime() + END.toNanos();
      for (WorkerProcess worker : workers) {
        worker.ended(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.forEach(WorkerProcess::close);
    PostgresCluster started = cluster;
    if (started != null) {
      started.close();
    }
    remove(folder);
  }

  private static void remove(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("the folder " + folder + " could not be removed: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the hook does this too.
    }
  }
}
