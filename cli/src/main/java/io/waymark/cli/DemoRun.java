package io.waymark.cli;

import io.waymark.postgres.WaymarkDataSource;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresClusterBuilder;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A demo from the start of its cluster to its end. It closes everything, also when the JVM is told
 * to end in the middle.
 */
final class DemoRun implements AutoCloseable {
  private static final long FRAME_MILLIS = 250;

  /** An ordinary role, as applications have it. */
  private static final String ROLE = "waymark_demo";

  private final DemoSettings settings;
  private final Tally tally = new Tally();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final Thread hook = new Thread(this::release, "waymark-demo-shutdown");
  private volatile @Nullable PostgresCluster cluster;
  private volatile @Nullable WaymarkDataSource db;

  DemoRun(DemoSettings settings) {
    this.settings = settings;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts the servers and makes the table. */
  PostgresCluster start() throws SQLException {
    PostgresClusterBuilder builder =
        PostgresCluster.builder().replicas(settings.replicas()).proxied(false);
    if (settings.pgVersion() != 0) {
      builder.version(settings.pgVersion());
    }
    PostgresCluster started = builder.start();
    cluster = started;
    try (Connection connection = started.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(SessionLoop.CREATE_TABLE);
      statement.execute(IdleWriter.CREATE_TABLE);
      statement.execute(
          "CREATE ROLE "
              + ROLE
              + " LOGIN; ALTER ROLE "
              + ROLE
              + " SET synchronous_commit = "
              + (settings.flushedCommits() ? "on" : "off")
              + "; GRANT ALL ON ALL TABLES IN SCHEMA public TO "
              + ROLE);
    }
    started.awaitCaughtUp();
    return started;
  }

  /**
   * Runs the sessions.
   *
   * @param watch is shown a state several times a second
   * @return the counts when all sessions had ended
   * @throws RuntimeException if the cluster did not do what the plan wants
   */
  Tally.Counts run(PostgresCluster started, Consumer<DemoState> watch)
      throws SQLException, InterruptedException {
    WaymarkDataSource source = connect(started);
    db = source;
    Director director =
        new Director(
            started,
            DemoPlan.of(settings.replicas(), settings.lag()),
            settings.duration(),
            settings.lag(),
            stop);
    SplittableRandom random = new SplittableRandom(settings.seed());
    for (int i = 1; i <= settings.sessions(); i++) {
      launch(
          "waymark-demo-session-" + i,
          new SessionLoop(source, i, settings.think().toNanos(), random.split(), tally, stop));
    }
    if (settings.idleWriter()) {
      launch("waymark-demo-idle-writer", new IdleWriter(started.primary(), tally, stop));
    }
    launch("waymark-demo-director", director);
    long begun = System.nanoTime();
    for (Duration elapsed = Duration.ZERO;
        ;
        elapsed = Duration.ofNanos(System.nanoTime() - begun)) {
      watch.accept(state(started, source, director, elapsed));
      long left = settings.duration().minus(elapsed).toMillis();
      if (left <= 0
          || director.failure() != null
          || stop.await(Math.min(left, FRAME_MILLIS), TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    stop.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    watch.accept(state(started, source, director, settings.duration()));
    RuntimeException failure = director.failure();
    if (failure != null) {
      throw failure;
    }
    return tally.counts();
  }

  private WaymarkDataSource connect(PostgresCluster started) throws SQLException {
    var builder =
        WaymarkDataSource.builder()
            .primary(started.primary().url())
            .user(ROLE)
            .max(settings.max())
            .random(new Random(settings.seed()))
            .routing(routing -> routing.consistency(settings.consistency()))
            .onRoute(SessionLoop::routed);
    for (PostgresNode replica : started.replicas()) {
      builder.replica(each -> each.url(replica.url()).name(replica.name()));
    }
    return builder.connect();
  }

  private void launch(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private DemoState state(
      PostgresCluster started, WaymarkDataSource source, Director director, Duration elapsed) {
    return new DemoState(
        started.version(), settings, elapsed, director.now(), source.endpoints(), tally.counts());
  }

  /** Ends the sessions, the data source and the cluster, in this order. Idempotent. */
  private void release() {
    stop.countDown();
    WaymarkDataSource source = db;
    if (source != null) {
      source.close();
    }
    PostgresCluster started = cluster;
    if (started != null) {
      started.close();
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the hook has done this too.
    }
  }
}
