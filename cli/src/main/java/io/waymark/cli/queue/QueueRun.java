package io.waymark.cli.queue;

import io.waymark.cli.processes.Crew;
import io.waymark.cli.processes.WorkerPlan;
import io.waymark.cli.processes.WorkerProcess;
import io.waymark.cli.processes.WorkerRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The demo of the queue from the start of its processes to their end. */
public final class QueueRun implements AutoCloseable {
  /** A push ends within its time, and is made again until its outcome is known. */
  private static final Duration LAST_PUSH = Duration.ofSeconds(30);

  /**
   * A claim of a host that was killed ends after the time of an attempt and ten seconds; one of a
   * dead letter, whose write may take a minute, after that and ten seconds.
   */
  private static final Duration DRAIN = Duration.ofSeconds(90);

  private final QueueSettings settings;
  private final Totals totals = new Totals();
  private final Crew<Said> crew = new Crew<>("queue");
  private volatile String phase = "starting";

  /** Nothing is started yet. */
  public QueueRun(QueueSettings settings) {
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
  public QueueCounts.Outcome run(Consumer<QueueState> watch)
      throws IOException, SQLException, InterruptedException {
    Runnable show = () -> watch.accept(state());
    Path folder = hire();
    crew.start(name -> Place.HOSTS.contains(name), new SplittableRandom(settings.seed()).split());
    crew.await(Crew.START, show, crew::isRunning);
    crew.requireRunning("within " + Crew.START.toSeconds() + " s");
    phase = "messages are pushed and delivered, processes are killed and paused";
    crew.beginTrouble();
    crew.await(settings.duration(), show, () -> false);
    phase = "no more trouble: the last pushes end";
    crew.calm();
    crew.await(Crew.START, show, crew::isRunning);
    crew.requireRunning("again after the trouble");
    producers().forEach(each -> each.send(new Order(Order.Kind.STOP)));
    crew.await(LAST_PUSH, show, this::haveEnded);
    phase = "no more pushes: what is pending is delivered";
    long began = System.nanoTime();
    crew.await(DRAIN, show, () -> compare(folder).lost() == 0);
    QueueCounts.Outcome outcome =
        outcome(compare(folder), Duration.ofNanos(System.nanoTime() - began));
    phase = outcome.held() ? "held" : "not held";
    show.run();
    return outcome;
  }

  private Path hire() throws IOException, SQLException {
    Path folder = crew.makeFolder();
    boolean postgres = settings.store() == QueueSettings.Store.POSTGRES;
    Place place = new Place(folder, postgres ? crew.startPostgres() : "");
    Place.HOSTS.forEach(each -> hire(each, place, 0));
    for (int i = 1; i <= settings.producers(); i++) {
      hire("producer-" + i, place, settings.seed() + i);
    }
    Place.TARGETS.forEach(each -> hire(each, place, 0));
    return folder;
  }

  private void hire(String name, Place place, long seed) {
    crew.add(
        name,
        new WorkerPlan<>(
            Worker.class,
            List.of(name, place.folder().toString(), place.url(), String.valueOf(seed)),
            place.errors(name),
            Said.class,
            said -> said instanceof Said.Ready),
        (who, life, said) -> totals.heard(who.name(), life, said));
  }

  private List<WorkerProcess<Said>> producers() {
    return crew.workers().stream().filter(each -> each.name().startsWith("producer")).toList();
  }

  private boolean haveEnded() {
    return producers().stream()
        .allMatch(each -> totals.of(each.name()) instanceof Said.Pushed pushed && pushed.ended());
  }

  private static Comparison compare(Path folder) {
    try {
      return Comparison.of(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("the journals cannot be read", e);
    }
  }

  private QueueCounts.Outcome outcome(Comparison found, Duration drain) {
    QueueCounts counts = totals.counts(crew.crashes(), crew.pauses());
    List<String> problems = new ArrayList<>();
    if (!haveEnded()) {
      problems.add("A producer has not ended its last push.");
    }
    if (found.lost() > 0) {
      problems.add("Deliveries of accepted messages are missing: " + found.lost() + ".");
    }
    if (found.wronglyDead() > 0) {
      problems.add(
          "Messages are in the dead letters that nobody refused: " + found.wronglyDead() + ".");
    }
    if (counts.rejected() > 0) {
      problems.add("A mailbox rejected " + counts.rejected() + " pushes.");
    }
    if (found.accepted() == 0 || found.deadLettered() == 0) {
      problems.add("Too little was done to check anything: give it more --seconds.");
    }
    return new QueueCounts.Outcome(
        counts,
        found.accepted(),
        found.delivered(),
        found.duplicates(),
        found.lost(),
        found.deadLettered(),
        found.unconfirmed(),
        drain.toMillis(),
        List.copyOf(problems));
  }

  private QueueState state() {
    return new QueueState(
        settings,
        crew.store(),
        crew.elapsed(),
        phase,
        crew.workers().stream().map(each -> WorkerRow.of(each, meaning(each.name()))).toList(),
        crew.events(),
        totals.counts(crew.crashes(), crew.pauses()));
  }

  private String meaning(String worker) {
    Said said = totals.of(worker);
    if (said instanceof Said.Pushed pushed) {
      return "accepted " + pushed.accepted() + (pushed.ended() ? ", ended" : "");
    }
    if (said instanceof Said.Serves serves) {
      return "has " + serves.mailboxes() + " mailboxes open, pending " + serves.pending();
    }
    if (said instanceof Said.Took took) {
      return "has " + took.messages() + (took.refused() > 0 ? ", refused " + took.refused() : "");
    }
    return "";
  }

  /** Ends all processes and the server, and removes the files. Idempotent. */
  @Override
  public void close() {
    crew.close();
  }
}
