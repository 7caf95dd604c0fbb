package io.waymark.bench;

import io.waymark.durable.Channel;
import io.waymark.durable.Codec;
import io.waymark.durable.DurableStore;
import io.waymark.durable.Outbox;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresClusterBuilder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What staging adds to a caller's transaction on PostgreSQL. Clients with a connection each run
 * transactions of one insert and then either one more plain insert, of the same bytes, or one
 * staged value; nothing is delivered. Rounds of both kinds take turns, first the one and then the
 * other in front, and of each pair of neighbours the ratio is taken.
 */
@Command(
    name = "StagingCost",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "What staging adds to a transaction, next to one more plain insert.",
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  staging on keys of one's own cost at most --bar times as much",
      "  1  it cost more",
      "  2  wrong use"
    })
public final class StagingCost implements Callable<Integer> {
  private static final Channel<String> LETTERS = Channel.of("letters", Codec.text());
  private static final String VALUE = "x".repeat(200);
  private static final int KNOWN_KEYS = 1_000;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "40",
      description = "How many pairs of rounds of each comparison; default 40.")
  private int pairs;

  @Option(
      names = "--millis",
      paramLabel = "N",
      defaultValue = "250",
      description = "How long a round takes; default 250.")
  private int millis;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "16",
      description = "How many clients there are at once; default 16.")
  private int clients;

  @Option(
      names = "--disk",
      paramLabel = "FOLDER",
      description =
          "Keep the data in this folder and flush at commits, as a server does unless told"
              + " otherwise. Without it the data is in memory and nothing is flushed, so that all"
              + " that counts is processor time.")
  private @Nullable Path disk;

  @Option(
      names = "--bar",
      paramLabel = "X",
      defaultValue = "1.2",
      description = "How many times as much it may cost; default 1.2.")
  private double bar;

  /** Which keys are written. */
  private enum Keys {
    NEW("keys of one's own, new ones"),
    KNOWN("keys of one's own, pending"),
    SAME("one key that all stage");

    private final String text;

    Keys(String text) {
      this.text = text;
    }

    String key(int client, long round, long number) {
      return switch (this) {
        case NEW -> client + "-" + round + "-" + number;
        case KNOWN -> client + "-" + number % KNOWN_KEYS;
        case SAME -> "one";
      };
    }
  }

  /** What a transaction does after its first insert. */
  private interface Second {
    void run(Connection connection, String key) throws SQLException;
  }

  /** What one round came to: transactions a second, and processor time of the server for each. */
  private record Round(double perSecond, double serverMicros) {}

  /** Rounds of two kinds, in pairs. */
  private record Sample(Median plain, Median ratio, Median plainMicros, Median stagedMicros) {}

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new StagingCost()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    try (PostgresCluster cluster = cluster();
        DurableStore store = DurableStore.postgres(source(cluster)).open();
        Outbox outbox = Outbox.builder(store).build()) {
      System.out.printf(
          Locale.ROOT,
          "%d clients, fsync %s, %d pairs of rounds of %d ms%n%-30s %9s   %-20s %s%n",
          clients,
          disk == null ? "off" : "on",
          pairs,
          millis,
          "",
          "plain/s",
          "times plain (95 %)",
          "server us, plain and staged");
      return compare(cluster, outbox) ? 0 : 1;
    }
  }

  private PostgresCluster cluster() {
    PostgresClusterBuilder builder =
        PostgresCluster.builder()
            .replicas(0)
            .proxied(false)
            .setting("fsync", disk == null ? "off" : "on")
            .setting("shared_buffers", "256MB")
            .setting("max_wal_size", "2GB");
    return (disk == null ? builder : builder.folder(disk)).start();
  }

  private static PGSimpleDataSource source(PostgresCluster cluster) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(cluster.primary().url());
    source.setUser(PostgresCluster.SUPERUSER);
    return source;
  }

  private boolean compare(PostgresCluster cluster, Outbox outbox) throws Exception {
    Second plain = StagingCost::insert;
    Second staging = (connection, key) -> outbox.stage(connection, LETTERS.item(key, VALUE));
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Connection> connections = new ArrayList<>();
    try {
      for (int client = 0; client < clients; client++) {
        Connection connection =
            DriverManager.getConnection(cluster.primary().url(), PostgresCluster.SUPERUSER, "");
        connections.add(connection);
        connection.setAutoCommit(false);
      }
      prepare(connections.get(0));
      Run run = new Run(cluster.primary().pid(), connections, threads);
      print("plain twice", run.sample(plain, plain, Keys.NEW));
      boolean held = true;
      for (Keys keys : Keys.values()) {
        Sample sample = run.sample(plain, staging, keys);
        print(keys.text, sample);
        held &= keys == Keys.SAME || sample.ratio().middle() <= bar;
      }
      System.out.printf(
          Locale.ROOT, "keys of one's own, at most %.2f: %s%n", bar, held ? "holds" : "TOO MUCH");
      return held;
    } finally {
      threads.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private static void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id bigserial PRIMARY KEY, note text)");
      statement.execute("CREATE TABLE plain (id bigserial PRIMARY KEY, key text, note text)");
    }
    connection.commit();
  }

  private static void insert(Connection connection, String key) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO plain (key, note) VALUES (?, ?)")) {
      insert.setString(1, key);
      insert.setString(2, VALUE);
      insert.executeUpdate();
    }
  }

  private static void print(String what, Sample sample) {
    System.out.printf(
        Locale.ROOT,
        "%-30s %9.0f   %5.3f (%5.3f .. %5.3f)   %4.0f %4.0f%n",
        what,
        sample.plain().middle(),
        sample.ratio().middle(),
        sample.ratio().low(),
        sample.ratio().high(),
        sample.plainMicros().middle(),
        sample.stagedMicros().middle());
  }

  /** The clients, and the server that they call. */
  private final class Run {
    private final long server;
    private final List<Connection> connections;
    private final ExecutorService threads;
    private long rounds;

    Run(long server, List<Connection> connections, ExecutorService threads) {
      this.server = server;
      this.connections = connections;
      this.threads = threads;
    }

    Sample sample(Second plain, Second staging, Keys keys) throws Exception {
      for (int i = 0; i < 8; i++) { // for the compiler, and for the driver to prepare statements
        round(i % 2 == 0 ? plain : staging, keys);
      }
      double[] rates = new double[pairs];
      double[] ratios = new double[pairs];
      double[] plainMicros = new double[pairs];
      double[] stagedMicros = new double[pairs];
      for (int i = 0; i < pairs; i++) {
        boolean plainFirst = i % 2 == 0;
        Round first = round(plainFirst ? plain : staging, keys);
        Round last = round(plainFirst ? staging : plain, keys);
        Round control = plainFirst ? first : last;
        Round staged = plainFirst ? last : first;
        rates[i] = control.perSecond();
        ratios[i] = control.perSecond() / staged.perSecond();
        plainMicros[i] = control.serverMicros();
        stagedMicros[i] = staged.serverMicros();
      }
      return new Sample(
          Median.of(rates), Median.of(ratios), Median.of(plainMicros), Median.of(stagedMicros));
    }

    private Round round(Second second, Keys keys) throws InterruptedException, ExecutionException {
      long round = rounds++;
      Duration before = serverTime();
      long begun = System.nanoTime();
      long end = begun + TimeUnit.MILLISECONDS.toNanos(millis);
      List<Future<Long>> running = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        int number = client;
        running.add(
            threads.submit(
                () -> transactions(connections.get(number), second, keys, number, round, end)));
      }
      long done = 0;
      for (Future<Long> each : running) {
        done += each.get();
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      double micros = serverTime().minus(before).toNanos() / 1e3;
      return new Round(done / seconds, micros / done);
    }

    /** Processor time of the server's processes so far. */
    private Duration serverTime() {
      return ProcessHandle.of(server)
          .map(
              postmaster ->
                  postmaster
                      .children()
                      .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                      .reduce(Duration.ZERO, Duration::plus))
          .orElse(Duration.ZERO);
    }
  }

  private static long transactions(
      Connection connection, Second second, Keys keys, int client, long round, long end)
      throws SQLException {
    long done = 0;
    while (System.nanoTime() < end) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO orders (note) VALUES (?)")) {
        insert.setString(1, VALUE);
        insert.executeUpdate();
      }
      second.run(connection, keys.key(client, round, done));
      connection.commit();
      done++;
    }
    return done;
  }
}
