package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted connections to real servers, of pools and monitors. */
class TlsTest {
  private static final String ENCRYPTED =
      "SELECT count(*) FILTER (WHERE s.ssl) || ' of ' || count(*) FROM pg_stat_ssl s"
          + " JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'encrypted'";

  private static PostgresCluster cluster;
  private static Certificates certificates;

  @BeforeAll
  static void start() throws Exception {
    cluster = PostgresCluster.builder().replicas(1).start();
    Path folder = cluster.folder().resolve("certificates");
    certificates = Certificates.create(folder, Files.getOwner(cluster.folder()));
    for (PostgresNode node : cluster.nodes()) {
      node.setting("ssl_cert_file", certificates.path("server.pem"));
      node.setting("ssl_key_file", certificates.path("server.key"));
      node.setting("ssl", "on");
    }
    await()
        .untilAsserted(
            () -> {
              for (PostgresNode node : cluster.nodes()) {
                try (Connection connection = node.connect()) {
                  assertThat(Jdbc.one(connection, "SHOW ssl")).isEqualTo("on");
                }
              }
            });
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** The server's own helper may ask for no encryption in its URL, which would win. */
  private static String url(PostgresNode node) {
    return "jdbc:postgresql://127.0.0.1:" + node.port() + "/postgres";
  }

  private static WaymarkDataSourceBuilder builder(Map<String, String> properties) {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(url(cluster.primary()))
            .replica(url(cluster.replica(1)))
            .property("ApplicationName", "encrypted");
    properties.forEach(builder::property);
    return builder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"require", "verify-ca", "verify-full"})
  void poolsAndMonitorsAreEncrypted(String mode) throws SQLException {
    Map<String, String> properties =
        mode.equals("require")
            ? Map.of("sslmode", mode)
            : Map.of("sslmode", mode, "sslrootcert", certificates.path("ca.pem"));
    try (RecordedDataSource source = RecordedDataSource.open(builder(properties), builder -> {});
        Connection writer = source.writer();
        Connection reader = source.reader()) {
      // Each server has the monitor's connection and the caller's.
      assertThat(Jdbc.one(writer, ENCRYPTED)).isEqualTo("2 of 2");
      assertThat(Jdbc.one(reader, ENCRYPTED)).isEqualTo("2 of 2");
      assertThat(source.lastReason()).isEqualTo("auto:replica-1");
    }
  }

  @Test
  void anUnknownAuthorityIsRefused() {
    assertThatThrownBy(
            () ->
                builder(
                        Map.of(
                            "sslmode",
                            "verify-full",
                            "sslrootcert",
                            certificates.path("other-ca.pem")))
                    .connect())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("endpoint primary cannot be reached");
  }

  @Test
  void anotherHostsCertificateIsRefused() {
    String byName = url(cluster.primary()).replace("127.0.0.1", "localhost");
    assertThatThrownBy(
            () ->
                WaymarkDataSource.builder()
                    .user("postgres")
                    .primary(byName)
                    .property("sslmode", "verify-full")
                    .property("sslrootcert", certificates.path("ca.pem"))
                    .connect())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("endpoint primary cannot be reached");
  }
}
