package io.waymark.cli.shards;

import io.waymark.cli.processes.Crew;
import io.waymark.cli.processes.WorkerPlan;
import io.waymark.cli.processes.WorkerProcess;
import io.waymark.cli.processes.WorkerRow;
import io.waymark.topology.Stamp;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The demo of shards from the start of its processes to their end. */
public final class ShardsRun implements AutoCloseable {
  private static final int LANES = 2;

  /** A claim of a coordinator that was killed ends after one attempt's time and ten seconds. */
  private static final Duration CONVERGENCE = Duration.ofSeconds(45);

  private final ShardsSettings settings;
  private final Judge judge = new Judge();
  private final Load load = new Load(judge);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Crew<Said> crew = new Crew<>("shards");
  private volatile String phase = "starting";

  /** Nothing is started yet. */
  public ShardsRun(ShardsSettings settings) {
    this.settings = settings;
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
    Runnable show = () -> watch.accept(state());
    SplittableRandom random = new SplittableRandom(settings.seed());
    hire();
    crew.start(name -> name.startsWith("coordinator"), random.split());
    crew.await(Crew.START, show, crew::isRunning);
    crew.requireRunning("within " + Crew.START.toSeconds() + " s");
    List<Thread> lanes = lanes(random);
    phase = "changes under load, processes are killed and paused";
    crew.beginTrouble();
    crew.await(settings.duration(), show, () -> false);
    phase = "no more trouble: all must end with the newest";
    crew.calm();
    stop.countDown();
    crew.await(Crew.START, show, () -> crew.isRunning() && ended(lanes));
    crew.requireRunning("again after the trouble");
    Said.Acknowledged last = settle(show);
    crew.await(CONVERGENCE, show, () -> isConverged(last));
    ShardsCounts.Outcome outcome = outcome(last);
    phase = outcome.held() ? "held" : "not held";
    show.run();
    return outcome;
  }

  // ---- starting --------------------------------------------------------------------------------

  private void hire() throws IOException, SQLException {
    boolean postgres = settings.store() == ShardsSettings.Store.POSTGRES;
    Place place = new Place(crew.makeFolder(), postgres ? crew.startPostgres() : "");
    for (int i = 1; i <= settings.store().coordinators(); i++) {
      hire("coordinator-" + i, place);
    }
    Place.MEMBERS.forEach(member -> hire(member, place));
    for (int i = 1; i <= settings.readers(); i++) {
      hire("reader-" + i, place);
    }
  }

  private void hire(String name, Place place) {
    crew.add(
        name,
        new WorkerPlan<>(
            Worker.class,
            List.of(name, place.folder().toString(), place.url()),
            place.errors(name),
            Said.class,
            said -> said instanceof Said.Ready),
        this::heard);
  }

  private List<Thread> lanes(SplittableRandom random) {
    List<Thread> lanes = new ArrayList<>();
    for (WorkerProcess<Said> coordinator : coordinators()) {
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

  private List<WorkerProcess<Said>> coordinators() {
    return crew.workers().subList(0, settings.store().coordinators());
  }

  private void heard(WorkerProcess<Said> who, int life, Said said) {
    judge.heard(who.name(), life, said);
    load.heard(said);
  }

  // ---- watching --------------------------------------------------------------------------------

  private static boolean ended(List<Thread> threads) {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  private ShardsState state() {
    Said.Acknowledged newest = judge.newest();
    return new ShardsState(
        settings,
        crew.store(),
        crew.elapsed(),
        phase,
        newest == null
            ? "nothing yet"
            : shown(newest.stamp())
                + " ("
                + newest.members()
                + "), limit "
                + limit(newest.limits()),
        crew.workers().stream().map(each -> WorkerRow.of(each, meaning(each.name()))).toList(),
        crew.events(),
        counts());
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
    return judge.counts(crew.crashes(), crew.pauses());
  }

  // ---- the end ---------------------------------------------------------------------------------

  /** One last change, until a coordinator has acknowledged one. */
  private Said.Acknowledged settle(Runnable show) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + CONVERGENCE.toNanos();
    Said said = null;
    while (System.nanoTime() - deadline < 0) {
      for (WorkerProcess<Said> coordinator : coordinators()) {
        show.run();
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
    return crew.workers().stream()
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
  @Override
  public void close() {
    stop.countDown();
    crew.close();
  }
}
