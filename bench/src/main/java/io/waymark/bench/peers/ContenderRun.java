package io.waymark.bench.peers;

import io.waymark.bench.Pairs;
import io.waymark.postgres.StatementPath;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresClusterBuilder;
import io.waymark.testing.postgres.PostgresNode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * One round of one contender, in a JVM and with servers of its own. Every result goes to stdout as
 * a line of JSON when it is there, so that what came before a hang is not lost.
 */
public final class ContenderRun {
  private static final int REPLICAS = 2;
  private static final int BLOCK = 50;
  private static final Duration CLOSING = Duration.ofSeconds(8);

  private final Contender contender;
  private final Plan plan;
  private final PostgresCluster cluster;
  private final Consumer<Result> results;

  private ContenderRun(
      Contender contender, Plan plan, PostgresCluster cluster, Consumer<Result> results) {
    this.contender = contender;
    this.plan = plan;
    this.cluster = cluster;
    this.results = results;
  }

  /**
   * Runs it.
   *
   * @param args the contender's constant and the {@link Plan}
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err); // stdout is for results, whatever libraries think
    JsonMapper json = JsonMapper.shared();
    run(
        Contender.valueOf(args[0]),
        Plan.of(Arrays.asList(args).subList(1, args.length)),
        line -> out.println(json.writeValueAsString(line)));
    System.exit(0); // reads that hang would hold it up
  }

  /** Starts servers, goes through all scenarios, and stops them. */
  static void run(Contender contender, Plan plan, Consumer<Line> lines) throws SQLException {
    PostgresClusterBuilder builder = PostgresCluster.builder().replicas(REPLICAS);
    plan.disk().ifPresent(builder::folder);
    try (PostgresCluster cluster = builder.start()) {
      try (Connection connection = cluster.primary().connect();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL)");
        statement.execute("INSERT INTO account SELECT i, 1 FROM generate_series(1, 100) i");
        statement.execute("VACUUM ANALYZE account");
      }
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
      ContenderRun run =
          new ContenderRun(
              contender,
              plan,
              cluster,
              result -> lines.accept(new Line(cluster.version(), result)));
      run.timed();
      run.guarded(Scenario.OWN_WRITES, run::ownWrites);
      run.guarded(Scenario.SILENT, () -> run.outage(Scenario.SILENT));
      run.guarded(Scenario.KILLED, () -> run.outage(Scenario.KILLED));
    }
  }

  private interface Body {
    Result run() throws SQLException, InterruptedException;
  }

  private void guarded(Scenario scenario, Body body) {
    Result result;
    try {
      result = body.run();
    } catch (SQLException | RuntimeException e) {
      result = new Result.Broken(scenario, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    results.accept(result);
  }

  /** One replica only, so that the same two servers do the work of all contenders. */
  @SuppressWarnings("try") // the processors are held, not used
  private void timed() {
    Servers servers = Servers.direct(cluster, 1);
    try (Processors unused = Processors.apart(cluster);
        StatementPath control = Contender.control(servers);
        StatementPath subject = contender.open(servers)) {
      warmUp(control, subject);
      for (Scenario scenario : Scenario.timed()) {
        guarded(scenario, () -> timed(scenario, control, subject));
      }
    } catch (SQLException | RuntimeException e) {
      Scenario.timed()
          .forEach(each -> results.accept(new Result.Broken(each, String.valueOf(e.getMessage()))));
    }
  }

  /** Without flushing: what is compiled is the same, and it would take minutes. */
  private void warmUp(StatementPath control, StatementPath subject) throws SQLException {
    for (int calls = 0; calls < plan.warmUps(); calls += BLOCK) {
      for (Scenario scenario : Scenario.timed()) {
        pairs(scenario, control, subject).run(Duration.ZERO);
      }
    }
    if (plan.disk().isPresent()) {
      cluster.nodes().forEach(node -> node.setting("fsync", "on"));
    }
  }

  private static Pairs<SQLException> pairs(
      Scenario scenario, StatementPath control, StatementPath subject) {
    return Pairs.of(scenario.operation().orElseThrow(), control, subject, BLOCK);
  }

  private Result timed(Scenario scenario, StatementPath control, StatementPath subject)
      throws SQLException {
    Pairs.Sample sample = pairs(scenario, control, subject).run(plan.timed());
    return new Result.Timed(
        scenario, sample.ratio(), sample.control().middle() / 1e3, sample.pairs());
  }

  private Result ownWrites() throws SQLException {
    List<PostgresNode> replicas = cluster.replicas();
    try (StatementPath path = contender.open(Servers.direct(cluster, REPLICAS))) {
      replicas.forEach(PostgresNode::awaitCaughtUp);
      path.read();
      replicas.forEach(PostgresNode::pauseReplay);
      return ownWrites(path);
    } finally {
      replicas.forEach(PostgresNode::resumeReplay);
    }
  }

  private Result ownWrites(StatementPath path) throws SQLException {
    int stale = 0;
    int failed = 0;
    int expected = balance();
    for (int i = 0; i < plan.ownWrites(); i++) {
      try {
        path.write();
        expected++;
        int seen = i % 2 == 0 ? path.read() : path.readTransaction();
        stale += seen < expected ? 1 : 0;
      } catch (SQLException e) {
        failed++;
        expected = balance();
      }
    }
    return new Result.OwnWrites(plan.ownWrites() - failed, stale, failed);
  }

  /** What the primary has, read beside the contender. */
  private int balance() throws SQLException {
    try (Connection connection = cluster.primary().connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT balance FROM account WHERE id = 7")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** The first replica goes away, the only one of a contender that knows just one. */
  private Result outage(Scenario scenario) throws SQLException, InterruptedException {
    PostgresNode replica = cluster.replica(1);
    StatementPath path = contender.open(Servers.proxied(cluster));
    try (SteadyReads reads = new SteadyReads(path)) {
      reads.during(scenario, plan.before(), plan.patience());
      if (scenario == Scenario.KILLED) {
        replica.kill();
      } else {
        replica.proxy().blackHole();
      }
      return reads.during(scenario, plan.load(), plan.patience());
    } finally {
      replica.proxy().resume();
      close(path);
    }
  }

  /** What hung may hang once more when it is closed. */
  private static void close(StatementPath path) throws InterruptedException {
    Thread closing = new Thread(path::close, "bench-close");
    closing.setDaemon(true);
    closing.start();
    closing.join(CLOSING.toMillis());
  }
}
