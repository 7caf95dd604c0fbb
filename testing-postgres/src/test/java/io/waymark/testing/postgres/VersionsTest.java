package io.waymark.testing.postgres;

import static io.waymark.testing.postgres.Rows.ask;
import static io.waymark.testing.postgres.Rows.count;
import static io.waymark.testing.postgres.Rows.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
        isAvailable(version),
        () -> "skipped: no binaries of PostgreSQL " + version + " on this machine");
    try (PostgresCluster cluster =
        PostgresCluster.builder().version(version).synchronousReplicas(1).start()) {
      PostgresNode old = cluster.primary();
      assertThat(cluster.majorVersion()).isEqualTo(version);
      assertThat(ask(old, "SHOW server_version")).isEqualTo(cluster.version());
      run(old, "CREATE TABLE t (id int)", "INSERT INTO t VALUES (1)");
      cluster.awaitCaughtUp();

      PostgresNode next = cluster.failover(cluster.replica(1));
      old.rejoin().awaitCaughtUp();

      assertThat(ask(next, "SHOW synchronous_standby_names")).isEqualTo("ANY 1 (\"replica-2\")");
      assertThat(count(next)).isEqualTo(1);
      assertThat(count(old)).isEqualTo(1);
      cluster.switchover(old);
    }
  }

  private static boolean isAvailable(int version) {
    try {
      return new Binaries(Cache.open(Privileges.get())).find(version).major() == version;
    } catch (PostgresClusterException e) {
      return false;
    }
  }

  @Test
  void aFolderWithJarsCanBeNamed(@TempDir Path empty) throws IOException {
    int version =
        IntStream.of(17, 16, 15, 18)
            .filter(major -> LocalRepository.newest(Platform.current(), major).isPresent())
            .findFirst()
            .orElseThrow();
    Path jar = LocalRepository.newest(Platform.current(), version).orElseThrow();
    Files.copy(jar, empty.resolve(jar.getFileName().toString()));
    System.setProperty(Binaries.PROPERTY, empty.toString());

    withoutLocalRepository(
        empty,
        () ->
            assertThat(new Binaries(Cache.open(Privileges.get())).find(version).major())
                .isEqualTo(version));
  }

  @Test
  void aJarThatDoesNotExistIsNamed() {
    System.setProperty(Binaries.PROPERTY, "/no/such.jar");
    int absent = new Binaries(Cache.open(Privileges.get())).find(0).major() == 15 ? 16 : 15;

    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> new Binaries(Cache.open(Privileges.get())).find(absent))
        .withMessageContaining("waymark.postgres.binaries names /no/such.jar");
  }

  @Test
  void whoeverUnpacksFirstWins(@TempDir Path folder) throws IOException {
    Path first = Files.createDirectory(folder.resolve("part-1"));
    Path second = Files.createDirectory(folder.resolve("part-2"));
    Files.writeString(first.resolve("who"), "first");
    Files.writeString(second.resolve("who"), "second");
    Path name = folder.resolve("18");

    Binaries.publish(first, name);
    Binaries.publish(second, name);

    assertThat(name.resolve("who")).hasContent("first");
  }

  @Test
  void aMissingVersionTellsHowToFetchIt(@TempDir Path empty) {
    int absent = new Binaries(Cache.open(Privileges.get())).find(0).major() == 16 ? 15 : 16;

    withoutLocalRepository(
        empty,
        () ->
            assertThatExceptionOfType(PostgresClusterException.class)
                .isThrownBy(() -> new Binaries(Cache.open(Privileges.get())).find(absent))
                .withMessageContaining("no server binaries of PostgreSQL " + absent)
                .withMessageContaining("mvn dependency:get -Dtransitive=false -Dartifact=")
                .withMessageEndingWith(":" + Binaries.KNOWN.get(absent)));
  }

  private static void withoutLocalRepository(Path home, Runnable test) {
    Path cache = Cache.open(Privileges.get()).folder();
    Map<String, String> before = new HashMap<>();
    for (String property : List.of("user.home", "maven.repo.local", "localRepository")) {
      String value = System.getProperty(property);
      if (value != null) {
        before.put(property, value);
      }
      System.clearProperty(property);
    }
    System.setProperty("user.home", home.toString());
    System.setProperty(Cache.PROPERTY, cache.toString());
    try {
      test.run();
    } finally {
      System.clearProperty(Cache.PROPERTY);
      before.forEach(System::setProperty);
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
