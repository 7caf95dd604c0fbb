package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers that all claim to be the primary: one on timeline 1, and two that were promoted to 2. */
class RivalTest {
  private static PostgresCluster cluster;
  private static PostgresNode old;
  private static PostgresNode promoted;
  private static PostgresNode promotedToo;

  private final AllLogs logs = new AllLogs();

  @BeforeAll
  static void start() throws SQLException {
    cluster = PostgresCluster.builder().replicas(2).start();
    old = cluster.primary();
    promoted = cluster.replica(1);
    promotedToo = cluster.replica(2);
    try (Connection connection = old.connect()) {
      Jdbc.execute(connection, "CREATE TABLE notes (id int)");
    }
    cluster.awaitCaughtUp();
    promoted.promote();
    promotedToo.promote();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void leaveTheLogs() {
    logs.close();
  }

  private long logged(String words) {
    return logs.text().lines().filter(line -> line.contains(words)).count();
  }

  private static RecordedDataSource open(PostgresNode primary, PostgresNode replica)
      throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(primary.proxyUrl())
            .replica(replica.proxyUrl()),
        b -> b.routing(r -> r.probe("100ms")));
  }

  private static void assertNobodyServes(
      RecordedDataSource source, PostgresNode primary, String why) throws SQLException {
    assertThatThrownBy(() -> source.write("INSERT INTO notes VALUES (1)"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("WM849"))
        .hasMessageStartingWith("WM1849")
        .hasMessageContaining(why);
    assertThatThrownBy(
            () -> {
              try (Connection connection = source.writer()) {
                connection.setAutoCommit(false);
                Jdbc.execute(connection, "INSERT INTO notes VALUES (1)");
              }
            })
        .hasMessageContaining(why);
    assertThatThrownBy(() -> source.read("SELECT 1")).hasMessageContaining(why);
    try (Connection forced = source.db().using(Role.PRIMARY).getConnection()) {
      assertThatThrownBy(() -> Jdbc.one(forced, "SELECT 1")).hasMessageContaining(why);
    }
    assertThat(source.db().inspect(Operation.WRITE).reason()).isEqualTo("no-primary");
    try (Connection beside = primary.connect()) {
      assertThat(Jdbc.one(beside, "SELECT count(*) FROM notes WHERE id = 1")).isEqualTo("0");
    }
  }

  @Test
  void onTheSameTimelineNobodyIsThePrimary() throws SQLException {
    try (RecordedDataSource source = open(promoted, promotedToo)) {
      String why = "endpoint replica-1 is a primary too, on timeline 2 against 2";
      assertNobodyServes(source, promoted, why);

      long probes = promotedToo.roundTrips();
      await().until(() -> promotedToo.roundTrips() > probes + 5);
      assertThat(logged("there is no primary: " + why)).isEqualTo(1);
    }
  }

  @Test
  void aConfiguredPrimaryOfTheOlderTimelineGetsNoWrites() throws SQLException {
    try (RecordedDataSource source = open(old, promoted)) {
      String why = "endpoint replica-1 is a primary too, on timeline 2 against 1";
      assertNobodyServes(source, old, why);

      long probes = promoted.roundTrips();
      await().until(() -> promoted.roundTrips() > probes + 5);
      assertThat(logged("there is no primary: " + why)).isEqualTo(1);
    }
  }

  @Test
  void aConfiguredPrimaryOfTheNewerTimelineWins() throws SQLException {
    try (RecordedDataSource source = open(promoted, old)) {
      source.write("INSERT INTO notes VALUES (2)");
      assertThat(source.read("SELECT count(*) FROM notes WHERE id = 2")).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("fallback:unhealthy");
      assertThat(source.status("replica-1").ineligible()).contains("not a standby");

      long probes = old.roundTrips();
      await().until(() -> old.roundTrips() > probes + 5);
      assertThat(logged("replica-1 is a primary too, on timeline 1 against 2; the newer"))
          .isEqualTo(1);
      assertThat(logged("there is no primary")).isZero();
    }
  }
}
