package io.waymark.publish.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.core.SchemaMode;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.SnapshotStoreException;
import io.waymark.topology.Stamp;
import io.waymark.topology.Tombstone;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import io.waymark.topology.UnavailableReason;
import io.waymark.topology.WriteOutcome;
import io.waymark.topology.contract.StoreContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresStoreTest extends StoreContract {
  private static PostgresCluster cluster;
  private static HikariDataSource pool;

  @BeforeAll
  static void start() {
    cluster =
        PostgresCluster.builder()
            .replicas(1)
            .proxied(true)
            .role("reader", "secret")
            .role("writer", "secret")
            .start();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(cluster.primary().url());
    config.setUsername(PostgresCluster.SUPERUSER);
    pool = new HikariDataSource(config);
  }

  @AfterAll
  static void stop() {
    pool.close();
    cluster.close();
  }

  @BeforeEach
  void createTable() {
    publisher().write(snapshot("0.0@setup"));
    try {
      forget(group);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected void forget(String group) throws SQLException {
    execute("DELETE FROM waymark_snapshot WHERE group_name = ?", group);
  }

  @Override
  protected void whisper(String message) throws SQLException {
    execute("SELECT pg_notify('waymark_snapshot', ?)", message);
  }

  private static void execute(String sql, String parameter) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, parameter);
      statement.execute();
    }
  }

  private static Properties login(String user) {
    Properties login = new Properties();
    login.setProperty("user", user);
    login.setProperty("password", "secret");
    return login;
  }

  private static PGSimpleDataSource source(String url, String user) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(user);
    source.setPassword("secret");
    return source;
  }

  private static PostgresNode primary() {
    return cluster.primary();
  }

  @Override
  protected SnapshotReader reader() {
    return PostgresSnapshots.builder(pool)
        .listen(primary().url(), login(PostgresCluster.SUPERUSER))
        .build();
  }

  @Override
  protected SnapshotPublisher publisher() {
    return PostgresPublisher.of(pool);
  }

  @Override
  protected void scribble(String group, String text) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO waymark_snapshot (group_name, authority, epoch, version, encoded)"
                    + " VALUES (?, 'x', 1, 1, ?)")) {
      insert.setString(1, group);
      insert.setString(2, text);
      insert.execute();
    }
  }

  @Test
  @Override
  protected void whatIsNoSnapshotIsWrittenOver() {
    // stronger here: it cannot be stored
    assertThatThrownBy(() -> scribble(group, "not a snapshot")).hasMessageContaining("json");
    assertThatThrownBy(
            () ->
                scribble(
                    group, "{\"group\":\"other\",\"authority\":\"x\",\"epoch\":1,\"version\":1}"))
        .hasMessageContaining("check");
  }

  @Test
  void aRoleThatMayOnlySelectReadsAndOneThatMayNotCreateWrites() throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("GRANT SELECT ON waymark_snapshot TO reader");
      statement.execute("GRANT SELECT, INSERT, UPDATE ON waymark_snapshot TO writer");
    }
    SnapshotPublisher publisher = keep(PostgresPublisher.of(source(primary().url(), "writer")));
    SnapshotReader reader =
        keep(
            PostgresSnapshots.builder(source(primary().url(), "reader"))
                .listen(primary().url(), login("reader"))
                .build());
    Heard heard = new Heard();
    reader.watch(heard);
    await().until(() -> heard.beginnings.get() == 1);

    assertThat(publisher.write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());

    assertThat(stored(reader, group)).isEqualTo(snapshot("1.1@a"));
    await().until(() -> heard.has(group));
    assertThat(heard.of(group).get(0)).contains(Stamp.parse("1.1@a"));
    assertThat(
            keep(PostgresPublisher.of(source(primary().url(), "reader"))).write(snapshot("1.2@a")))
        .isInstanceOf(WriteOutcome.NotWritten.class);
  }

  @Test
  void aTableElsewhereIsUsedAndValidated() throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS app");
    }
    SnapshotPublisher validating =
        keep(
            PostgresPublisher.builder(pool)
                .table("app.groups")
                .schema(SchemaMode.VALIDATE)
                .build());
    assertThat(validating.write(snapshot("1.1@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
    assertThatThrownBy(() -> validating.sweep((name, stamp) -> {}))
        .isInstanceOf(SnapshotStoreException.class)
        .hasMessageContaining("app.groups");

    SnapshotPublisher creating = keep(PostgresPublisher.builder(pool).table("app.groups").build());
    assertThat(creating.write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());
    assertThat(validating.write(snapshot("1.2@a"))).isEqualTo(WriteOutcome.applied());

    SnapshotReader reader = keep(PostgresSnapshots.builder(pool).table("app.groups").build());
    assertThat(stored(reader, group)).isEqualTo(snapshot("1.2@a"));
    assertThat(text(openReader(), group)).isEmpty();
    assertThatThrownBy(() -> PostgresSnapshots.builder(pool).table("x; drop table y"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("app.waymark_snapshot");
  }

  @Test
  void aTableThatIsNotThereIsAnErrorAndNotAMissingGroup() {
    TopologyClient client =
        keep(
            TopologyClient.builder(PostgresSnapshots.builder(pool).table("nowhere").build())
                .build());

    assertThat(reason(client)).isEqualTo(UnavailableReason.FAILED);
  }

  private UnavailableReason reason(TopologyClient client) {
    try {
      throw new AssertionError("served " + client.get(group));
    } catch (TopologyUnavailableException e) {
      return e.reason();
    }
  }

  @Test
  void aGroupThatWasDeletedAndMadeAgainDuringAPartitionIsSeenWhenItEnds() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient client = keep(client(Duration.ofMillis(300)));
    await().until(() -> client.inspect(group).silent().isEmpty());
    assertThat(client.get(group)).isEqualTo(snapshot("1.1@a"));

    primary().proxy().refuse();
    primary().proxy().reset();
    await().until(() -> client.inspect(group).silent().isPresent());
    publisher.write(new Tombstone(group, Stamp.parse("1.2@a")));
    publisher.write(snapshot("1.3@a"));
    assertThat(client.get(group)).isEqualTo(snapshot("1.1@a"));
    primary().proxy().accept();

    await().until(() -> client.get(group).equals(snapshot("1.3@a")));
  }

  /** A client whose listening connection goes through the proxy, and whose snapshots last. */
  private TopologyClient client(Duration heartbeat) {
    return TopologyClient.builder(
            PostgresSnapshots.builder(pool)
                .listen(primary().proxyUrl(), login(PostgresCluster.SUPERUSER))
                .heartbeat(heartbeat)
                .build())
        .ttl(Duration.ofHours(1))
        .build();
  }

  @Test
  void aConnectionThatFellSilentIsNoticedAndWhatItMissedIsRead() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient client = keep(client(Duration.ofMillis(300)));
    await().until(() -> client.inspect(group).silent().isEmpty());
    client.get(group);

    primary().proxy().blackHole();
    publisher.write(snapshot("1.2@a"));
    await().atMost(Duration.ofSeconds(20)).until(() -> client.inspect(group).silent().isPresent());
    primary().proxy().reset();
    primary().proxy().resume();

    await().atMost(Duration.ofSeconds(20)).until(() -> client.get(group).equals(snapshot("1.2@a")));
  }

  @Test
  void aServerThatIsDownAtTheStartIsFoundWhenItComesUp() {
    primary().proxy().refuse();
    AtomicInteger attempts = new AtomicInteger();
    PGSimpleDataSource source =
        new PGSimpleDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            attempts.incrementAndGet();
            return super.getConnection();
          }
        };
    source.setUrl(primary().proxyUrl());
    source.setUser(PostgresCluster.SUPERUSER);
    SnapshotPublisher publisher = keep(PostgresPublisher.of(source));
    TopologyClient client =
        keep(
            TopologyClient.builder(
                    PostgresSnapshots.builder(source)
                        .listen(primary().proxyUrl(), login(PostgresCluster.SUPERUSER))
                        .build())
                .build());

    assertThat(reason(client)).isEqualTo(UnavailableReason.FAILED);
    assertThat(publisher.write(snapshot("1.1@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
    assertThat(attempts).hasValue(2);
    primary().proxy().accept();

    await().atMost(Duration.ofSeconds(20)).until(() -> client.inspect(group).silent().isEmpty());
    assertThat(publisher.write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());
    await().until(() -> client.inspect(group).snapshot().isPresent());
    assertThat(client.get(group)).isEqualTo(snapshot("1.1@a"));
  }

  @Test
  void aWriteWhoseAnswerIsLostIsUncertainAndMayBeWrittenAgain() throws Exception {
    SnapshotPublisher publisher =
        keep(PostgresPublisher.of(source(primary().proxyUrl(), PostgresCluster.SUPERUSER)));
    publisher.write(snapshot("1.1@a"));
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(primary().proxyUrl());
    config.setUsername(PostgresCluster.SUPERUSER);
    config.setMaximumPoolSize(1);
    try (HikariDataSource one = new HikariDataSource(config)) {
      SnapshotPublisher cut = PostgresPublisher.builder(one).schema(SchemaMode.NONE).build();
      cut.write(snapshot("1.2@a"));
      primary().proxy().cutAfter(io.waymark.testing.Direction.TO_CLIENT, 0);

      WriteOutcome outcome = cut.write(snapshot("1.3@a"));

      assertThat(outcome).isInstanceOf(WriteOutcome.Uncertain.class);
      assertThat(outcome.isSettled()).isFalse();
      assertThat(cut.write(snapshot("1.3@a"))).isEqualTo(WriteOutcome.applied());
      assertThat(stored(openReader(), group)).isEqualTo(snapshot("1.3@a"));
    }
  }

  @Test
  void aStandbyThatIsBehindDoesNotTakeAClientBack() {
    PostgresNode standby = cluster.replica(1);
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    standby.awaitCaughtUp();
    standby.pauseReplay();
    PGSimpleDataSource source = source(primary().url(), PostgresCluster.SUPERUSER);
    TopologyClient client =
        keep(
            TopologyClient.builder(PostgresSnapshots.of(source))
                .ttl(Duration.ofMillis(1))
                .negativeTtl(Duration.ofMillis(1))
                .build());
    try {
      publisher.write(snapshot("1.2@a"));
      assertThat(client.get(group)).isEqualTo(snapshot("1.2@a"));

      source.setUrl(standby.url());
      await()
          .until(
              () -> {
                assertThat(client.get(group)).isEqualTo(snapshot("1.2@a"));
                return client.stats().older() >= 3;
              });
    } finally {
      standby.resumeReplay();
    }
    publisher.write(snapshot("1.3@a"));
    await().until(() -> client.get(group).equals(snapshot("1.3@a")));
  }

  @Test
  void whatIsClosedLeavesNoThreadAndNoConnection() {
    TopologyClient client = client(Duration.ofMinutes(1));
    await().until(() -> client.inspect(group).silent().isEmpty());
    assertThat(listeners()).isPositive();

    client.close();

    await().until(() -> threads() == 0);
    await().until(() -> listeners() == 0);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("waymark-topology-listen"))
        .count();
  }

  private static long listeners() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE application_name = 'waymark-topology'")) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
