package io.waymark.testing.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeftoverTest {

  private Path folder;

  /** In memory where that is possible: on a slow disk ten clusters take half a minute. */
  @BeforeEach
  void makeFolder() throws IOException {
    Path memory = Path.of("/dev/shm");
    folder =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "waymark-test-")
            : Files.createTempDirectory("waymark-test-");
  }

  @AfterEach
  void removeFolder() throws IOException {
    Folders.delete(folder);
  }

  @Test
  void tenClustersLeaveNoProcessNoThreadNoFolderAndNoSharedMemory() throws Exception {
    List<Long> before = children();
    List<Long> servers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      try (PostgresCluster cluster = PostgresCluster.builder().folder(folder).start()) {
        cluster.nodes().forEach(node -> servers.add(node.pid()));
        Rows.through(cluster.replica(1)).close();
        if (i % 3 == 1) {
          cluster.replica(1).freeze();
          cluster.replica(2).kill();
        }
      }
    }

    assertThat(servers).hasSize(30).allMatch(Signals::gone);
    assertThat(children()).isEqualTo(before);
    assertThat(threads()).isEmpty();
    assertThat(folder).isEmptyDirectory();
    assertThat(creatorsOfSharedMemory()).doesNotContainAnyElementsOf(servers);
  }

  @Test
  void aClusterThatFailsToStartLeavesNothingAndShowsTheServersLog() {
    List<Long> before = children();

    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(
            () ->
                PostgresCluster.builder()
                    .folder(folder)
                    .setting("shared_preload_libraries", "no_such_library")
                    .start())
        .withMessageContaining("primary ended while it started")
        .withMessageContaining("no_such_library");

    assertThat(children()).isEqualTo(before);
    assertThat(threads()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void closeMayComeTwiceAndLeversAreRefusedAfterIt() {
    PostgresCluster cluster = PostgresCluster.builder().folder(folder).replicas(0).start();
    PostgresNode primary = cluster.primary();
    cluster.close();
    cluster.close();

    assertThatIllegalStateException()
        .isThrownBy(primary::start)
        .withMessage("the cluster is closed");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void twoClustersAreTwoSystems() throws SQLException {
    try (PostgresCluster one = PostgresCluster.builder().replicas(1).proxied(false).start();
        PostgresCluster two = PostgresCluster.builder().replicas(0).start()) {
      String identifier = "SELECT system_identifier FROM pg_control_system()";
      assertThat(Rows.ask(one.primary(), identifier))
          .isEqualTo(Rows.ask(one.replica(1), identifier))
          .isNotEqualTo(Rows.ask(two.primary(), identifier));
      assertThatIllegalStateException()
          .isThrownBy(() -> one.primary().proxyUrl())
          .withMessageContaining("proxied(true)");
    }
  }

  @Test
  void aKilledJvmLeavesNoServerAndNoFolder() throws IOException {
    try (ChildJvm child = childJvm()) {
      assertThat(child.servers()).noneMatch(Signals::gone);
      assertThat(child.folder()).isDirectory();

      child.process().destroyForcibly();

      await().until(child::leftNothing);
    }
  }

  @Test
  void aJvmThatExitsWithoutCloseLeavesNothing() throws IOException {
    try (ChildJvm child = childJvm()) {
      child.process().getOutputStream().close();

      await().until(child::leftNothing);
      await().until(() -> !child.process().isAlive());
    }
  }

  @Test
  void theNextStartSweepsWhatAKilledJvmAndItsKilledWatchdogLeft() throws IOException {
    try (ChildJvm child = childJvm();
        PostgresCluster living = PostgresCluster.builder().folder(folder).replicas(0).start()) {
      ProcessHandle watchdog =
          child
              .process()
              .children()
              .filter(handle -> handle.info().commandLine().orElse("").contains("waymark-watchdog"))
              .findFirst()
              .orElseThrow();
      watchdog.destroyForcibly();
      child.process().destroyForcibly();
      await().until(() -> Signals.gone(child.process().pid()));
      assertThat(child.servers()).noneMatch(Signals::gone);

      try (PostgresCluster next = PostgresCluster.builder().folder(folder).replicas(0).start()) {
        await().until(child::leftNothing);
        assertThat(next.primary().isRunning()).isTrue();
        assertThat(living.primary().isPrimary()).isTrue();
      }
    }
  }

  private ChildJvm childJvm() throws IOException {
    return ChildJvm.start(
        List.of(), ChildJvm.ownClassPath(), List.of("-D" + DataFolder.PROPERTY + "=" + folder));
  }

  private static List<Long> children() {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("waymark"))
        .toList();
  }

  /** Others on this machine may have segments too: only whose they are tells. */
  private static List<Long> creatorsOfSharedMemory() throws IOException {
    Path list = Path.of("/proc/sysvipc/shm");
    if (!Files.isReadable(list)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(list)) {
      return lines.skip(1).map(LeftoverTest::creator).toList();
    }
  }

  private static long creator(String line) {
    try (Scanner words = new Scanner(line)) {
      for (int i = 0; i < 4; i++) {
        words.next();
      }
      return words.nextLong();
    }
  }
}
