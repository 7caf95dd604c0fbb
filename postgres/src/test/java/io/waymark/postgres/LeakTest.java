package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connecting and closing, also when it fails half way, leaves nothing. */
class LeakTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final int CYCLES = 1_000;
  private static final int TOLERATED_FILES = 8;

  @Test
  @EnabledOnOs(OS.LINUX)
  void aThousandConnectsLeaveNoThreadNoConnectionAndNoFile() throws Exception {
    try (FreePort nobody = FreePort.find()) {
      String refused = "jdbc:postgresql://127.0.0.1:" + nobody.number() + "/postgres";
      for (int i = 0; i < 30; i++) {
        cycle(i, refused);
      }
      List<String> threadsBefore = threads();
      long filesBefore = files();
      long started = System.nanoTime();
      for (int i = 0; i < CYCLES; i++) {
        cycle(i, refused);
      }
      System.out.printf("%d connects in %.1f s%n", CYCLES, (System.nanoTime() - started) / 1e9);

      await().untilAsserted(() -> assertThat(threads()).isEqualTo(threadsBefore));
      await().untilAsserted(() -> assertThat(serverConnections()).isZero());
      assertThat(files()).isLessThanOrEqualTo(filesBefore + TOLERATED_FILES);
    }
  }

  /** Six kinds of cycle, two of which fail. */
  private static void cycle(int number, String refused) throws SQLException {
    String primary = cluster.primary().url();
    switch (number % 6) {
      case 0 -> fails(builder(refused).user("clerk"));
      case 1 ->
          fails(
              builder(number % 4 == 1 ? primary.replace("/postgres", "/nowhere") : primary)
                  .user(number % 4 == 1 ? "clerk" : "nobody"));
      case 2 -> {
        try (WaymarkDataSource db = builder(primary).user("clerk").connect();
            Connection connection = db.getConnection()) {
          connection.setReadOnly(true);
          Jdbc.one(connection, "SELECT 1");
        }
      }
      case 3 -> leavesItsConnectionOpen(primary);
      default -> builder(primary).user("clerk").connect().close();
    }
  }

  private static WaymarkDataSourceBuilder builder(String primary) {
    return WaymarkDataSource.builder().primary(primary).replica(cluster.replica(1).url()).max(2);
  }

  private static void fails(WaymarkDataSourceBuilder builder) {
    assertThatThrownBy(
            () -> {
              try (WaymarkDataSource db = builder.connect()) {
                assertThat(db).as("must not connect").isNull();
              }
            })
        .isInstanceOf(SQLException.class);
  }

  private static void leavesItsConnectionOpen(String primary) throws SQLException {
    try (WaymarkDataSource db = builder(primary).user("clerk").connect()) {
      Connection forgotten = db.getConnection();
      forgotten.setAutoCommit(false);
      Jdbc.one(forgotten, "SELECT 1");
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(
            name ->
                (name.startsWith("waymark-") && !name.startsWith("waymark-proxy-"))
                    || name.contains("Hikari"))
        .sorted()
        .toList();
  }

  private static long serverConnections() throws SQLException {
    long open = 0;
    for (var node : List.of(cluster.primary(), cluster.replica(1))) {
      try (Connection beside = node.connect()) {
        open +=
            Long.parseLong(
                Jdbc.one(beside, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'clerk'"));
      }
    }
    return open;
  }

  private static long files() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }
}
