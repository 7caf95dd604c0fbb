package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.topology.contract.StoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectorySnapshotsTest extends StoreContract {
  @TempDir Path directory;

  @Override
  protected SnapshotReader reader() {
    return DirectorySnapshots.in(directory).reader();
  }

  @Override
  protected SnapshotPublisher publisher() {
    return DirectorySnapshots.in(directory).publisher();
  }

  @Override
  protected void scribble(String group, String text) throws IOException {
    Files.writeString(directory.resolve(GroupFiles.name(group)), text);
  }

  @Override
  protected void forget(String group) throws IOException {
    Files.delete(directory.resolve(GroupFiles.name(group)));
  }

  @Override
  protected int manyGroups() {
    return 50; // each write waits for the disk
  }

  @Test
  void nothingIsLeftOfWritesButTheGroupsAndTheLock() throws IOException {
    openPublisher().write(snapshot("1.1@a"));
    openPublisher().write(snapshot("1.2@a"));

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(".lock", "g-" + group + ".json");
    }
  }

  @Test
  void aPlainNameIsItsFilesNameAndAnyOtherHasOneThatFits() {
    assertThat(GroupFiles.name("acme-7")).isEqualTo("g-acme-7.json");
    assertThat(GroupFiles.name("../Acme")).isEqualTo("g-%2e%2e%2f%41cme.json");
    assertThat(GroupFiles.name("漢".repeat(128))).hasSizeLessThan(200);
  }

  @Test
  void whatCannotBeADirectoryIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> DirectorySnapshots.in(file))
        .isInstanceOf(SnapshotStoreException.class)
        .hasMessageStartingWith("WM2104: ")
        .hasMessageContaining("file");
  }

  @Test
  void aDirectoryThatIsGoneIsAnErrorAndNeverAnEmptyStore() throws Exception {
    Path inner = Files.createDirectory(directory.resolve("inner"));
    SnapshotPublisher publisher = keep(DirectorySnapshots.in(inner).publisher());
    Heard heard = new Heard();
    SnapshotReader reader = keep(DirectorySnapshots.in(inner).reader());
    reader.watch(heard);
    await().until(() -> heard.beginnings.get() == 1);
    publisher.write(snapshot("1.1@a"));

    for (Path file : List.of(inner.resolve(".lock"), inner.resolve(GroupFiles.name(group)))) {
      Files.delete(file);
    }
    Files.delete(inner);

    assertThat(publisher.write(snapshot("1.2@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
    assertThatThrownBy(() -> publisher.sweep((name, stamp) -> {}))
        .isInstanceOf(SnapshotStoreException.class);
    await().until(() -> !heard.interruptions.isEmpty());
    assertThatThrownBy(() -> text(reader, group)).hasMessageContaining("inner");
  }
}
