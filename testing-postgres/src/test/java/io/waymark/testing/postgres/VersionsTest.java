package io.waymark.testing.postgres;

import static io.waymark.testing.postgres.Rows.ask;
import static io.waymark.testing.postgres.Rows.count;
import static io.waymark.testing.postgres.Rows.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionsTest {

  @AfterEach
  void forgetProperties() {
    System.clearProperty(Binaries.PROPERTY);
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17, 18})
  void everySupportedVersionStartsFailsOverAndRejoins(int version) throws SQLException {
    assumeTrue(
        version == 18 || LocalRepository.newest(Platform.current(), version).isPresent(),
        () -> "skipped: no binaries of PostgreSQL " + version + " in the local Maven repository");
    try (PostgresCluster cluster = PostgresCluster.builder().version(version).start()) {
      PostgresNode old = cluster.primary();
      assertThat(cluster.majorVersion()).isEqualTo(version);
      assertThat(ask(old, "SHOW server_version")).isEqualTo(cluster.version());
      run(old, "CREATE TABLE t (id int)", "INSERT INTO t VALUES (1)");
      cluster.awaitCaughtUp();

      PostgresNode next = cluster.failover(cluster.replica(1));
      old.rejoin().awaitCaughtUp();

      assertThat(count(next)).isEqualTo(1);
      assertThat(count(old)).isEqualTo(1);
      cluster.switchover(old);
    }
  }

  @Test
  void aJarCanBeNamed() {
    Path jar =
        LocalRepository.newest(Platform.current(), 17)
            .or(() -> LocalRepository.newest(Platform.current(), 18))
            .orElseThrow();
    System.setProperty(Binaries.PROPERTY, jar.resolve("..").normalize().toString());
    int version = jar.toString().contains("-17.") ? 17 : 18;

    assertThat(new Binaries(Cache.open(Privileges.get())).find(version).major()).isEqualTo(version);
  }

  @Test
  void aMissingVersionTellsHowToFetchIt(@TempDir Path empty) {
    String home = System.getProperty("user.home");
    String repository = System.getProperty("maven.repo.local");
    String surefire = System.getProperty("localRepository");
    Cache cache = Cache.open(Privileges.get());
    try {
      System.setProperty("user.home", empty.toString());
      System.clearProperty("maven.repo.local");
      System.clearProperty("localRepository");

      assertThatExceptionOfType(PostgresClusterException.class)
          .isThrownBy(() -> new Binaries(cache).find(16))
          .withMessageContaining("no server binaries of PostgreSQL 16")
          .withMessageContaining("mvn dependency:get -Dtransitive=false -Dartifact=")
          .withMessageEndingWith(":16.15.0");
    } finally {
      System.setProperty("user.home", home);
      restore("maven.repo.local", repository);
      restore("localRepository", surefire);
    }
  }

  private static void restore(String property, String value) {
    if (value != null) {
      System.setProperty(property, value);
    }
  }

  @Test
  void anInstallationIsUsedAndItsVersionChecked() {
    Installation bundled = new Binaries(Cache.open(Privileges.get())).find(0);
    try (PostgresCluster cluster =
        PostgresCluster.builder().installation(bundled.bin()).replicas(0).start()) {
      assertThat(cluster.version()).isEqualTo(bundled.version());
      assertThat(cluster.replicas()).isEmpty();
    }
    int another = bundled.major() == 15 ? 16 : 15;
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(
            () ->
                PostgresCluster.builder()
                    .installation(bundled.bin().resolve("..").normalize())
                    .version(another)
                    .start())
        .withMessageContaining("version " + another + " was asked for");
  }
}
