package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.topology.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;

/**
 * How a SQLite database that is an older copy of itself is told from one that was only reopened.
 */
class SqliteMarkTest extends CoordinatorFixture {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }

  private Path file() {
    return ((SqliteDatabase) database).file();
  }

  private Path beside(String suffix) {
    return file().resolveSibling(file().getFileName() + suffix);
  }

  private long epoch() {
    return found("acme").map(Published::stamp).orElseThrow().epoch();
  }

  private void closeAll() {
    topology.close();
    store.close();
  }

  private void openAll() {
    store = database.store().open();
    restart(builder());
  }

  @Test
  void aDatabaseThatIsOpenedAgainKeepsItsEpoch() {
    topology.update("acme", CoordinatorFixture::three);
    for (int i = 0; i < 3; i++) {
      String member = "acme-" + i;
      closeAll();
      openAll();
      topology.update("acme", now -> now.drain(member));
    }
    awaitQuiet();

    assertThat(epoch()).isEqualTo(1);
  }

  @Test
  void anOlderCopyThatIsPutBackRaisesTheEpochAtTheStart() throws IOException {
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    closeAll();
    Files.copy(file(), beside(".copy"));
    openAll();
    topology.update("acme", now -> now.drain("acme-0"));
    awaitQuiet();
    closeAll();

    Files.move(beside(".copy"), file(), StandardCopyOption.REPLACE_EXISTING);
    openAll();

    await().untilAsserted(() -> assertThat(epoch()).isEqualTo(2));
    assertThat(foundMembers("acme")).containsExactly("acme-0", "acme-1", "acme-2");
    assertThat(topology.snapshot("acme").orElseThrow().writeSet()).hasSize(3);
  }

  @Test
  void aToolThatOpensAnOlderCopyRaisesTheEpochToo() throws IOException {
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    closeAll();
    Files.copy(file(), beside(".copy"));
    openAll();
    topology.update("acme", now -> now.drain("acme-0"));
    awaitQuiet();
    closeAll();
    Files.move(beside(".copy"), file(), StandardCopyOption.REPLACE_EXISTING);

    store = database.store().open();
    topology = TopologyCoordinator.builder(store).leavePublishing().build();

    UpdateResult changed = topology.update("acme", now -> now.drain("acme-1"));
    assertThat(changed.stamp().epoch()).isEqualTo(2);
  }

  @Test
  void anOlderCopyIsNoticedThoughTheProcessDiesWhileItStarts() throws IOException {
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    closeAll();
    Files.copy(file(), beside(".copy"));
    openAll();
    topology.update("acme", now -> now.drain("acme-0"));
    awaitQuiet();
    closeAll();
    Files.move(beside(".copy"), file(), StandardCopyOption.REPLACE_EXISTING);

    for (int moment = 0; dieWhileItStarts(moment); moment++) {
      // the next start is that of the same copy
    }

    openAll();
    await().untilAsserted(() -> assertThat(epoch()).isGreaterThan(1));
  }

  /** False if it did not die. */
  private boolean dieWhileItStarts(int moment) {
    CrashPoints points = new CrashPoints();
    store = database.store(points::watch).open();
    points.dieAt(moment);
    try {
      topology = builder().build();
      return false;
    } catch (RuntimeException e) {
      assertThat(points.isDead()).as("%s", e).isTrue();
      return true;
    } finally {
      topology.close();
      store.close();
    }
  }

  @Test
  void aDatabaseWhoseMarkIsGoneMayBeAnOlderCopy() throws IOException {
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    closeAll();

    Files.delete(beside(".mark"));
    openAll();

    await().untilAsserted(() -> assertThat(epoch()).isEqualTo(2));
  }

  @Test
  void aMarkThatCannotBeReadIsMadeAnew() throws IOException {
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    closeAll();

    Files.writeString(beside(".mark"), "half a li");
    openAll();
    await().untilAsserted(() -> assertThat(epoch()).isEqualTo(2));
    awaitQuiet();
    closeAll();
    openAll();
    awaitQuiet();

    assertThat(epoch()).isEqualTo(2);
  }
}
