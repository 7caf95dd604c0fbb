package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.OptionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** A store on SQLite. */
class SqliteStoreTest extends StoreContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }

  private Path file() {
    return ((SqliteDatabase) database).file();
  }

  @Test
  void commitsAreOnDiskBeforeTheyReturn() {
    String journal = pragma("journal_mode");
    String synchronous = pragma("synchronous");

    assertThat(journal).isEqualTo("wal");
    assertThat(synchronous).as("FULL").isEqualTo("2");
  }

  private String pragma(String name) {
    return store.withHandle(
        handle -> handle.createQuery("PRAGMA " + name).mapTo(String.class).one());
  }

  @Test
  void anotherStoreOfTheSameProcessIsRefusedUntilTheFirstIsClosed() {
    DurableStoreBuilder second = database.store();

    assertThatThrownBy(second::open)
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2001")
        .hasMessageContaining("store.db")
        .hasMessageContaining("PostgreSQL");

    store.close();
    store = second.open();
  }

  @Test
  void aLinkIsNoWayRoundTheLock() throws IOException {
    Path link = file().resolveSibling("link.db");
    Files.createSymbolicLink(link, file());

    DurableStoreBuilder second = DurableStore.sqlite(link);

    assertThatThrownBy(second::open).hasMessageStartingWith("WM2001");
  }

  @Test
  void anotherProcessIsRefused() throws Exception {
    try (ChildJvm child = ChildJvm.start(StoreOpener.class, file().toString())) {
      assertThat(child.line()).startsWith("WM2001");
    }
  }

  /** Tries to open the store of another process. */
  static final class StoreOpener {
    private StoreOpener() {}

    public static void main(String[] args) {
      try (DurableStore opened = DurableStore.sqlite(Path.of(args[0])).open()) {
        System.out.println("opened " + opened);
      } catch (DurableStoreException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void whatWasCommittedWhenTheProcessWasKilledIsThereAndDeliveredByTheNext() throws Exception {
    store.close();
    int committed = 0;
    try (ChildJvm child = ChildJvm.start(Stager.class, file().toString())) {
      for (int i = 0; i < 50; i++) {
        committed = Integer.parseInt(child.line());
      }
      child.kill();
    }

    store = database.store().open();
    Inbox inbox = new Inbox();
    try (Outbox outbox = Outbox.builder(store).deliver(Stager.LETTERS, inbox).build()) {
      await().atMost(Duration.ofSeconds(20)).until(() -> outbox.backlog().isEmpty());
    }
    for (int i = 1; i <= committed; i++) {
      assertThat(inbox.of("key-" + i)).as("key %d of %d", i, committed).containsExactly("v");
    }
  }

  /** Stages one key after the other, and tells of each commit. */
  static final class Stager {
    static final Channel<String> LETTERS = Channel.of("letters", Codec.text());

    private Stager() {}

    public static void main(String[] args) {
      try (DurableStore opened = DurableStore.sqlite(Path.of(args[0])).open();
          Outbox outbox = Outbox.builder(opened).build()) {
        for (int i = 1; i < 1_000_000; i++) {
          Item item = LETTERS.item("key-" + i, "v");
          opened.inTransaction(tx -> outbox.stage(tx, item));
          System.out.println(i);
        }
      }
    }
  }

  @Test
  void aMissingFolderIsNamed() {
    DurableStoreBuilder nowhere = DurableStore.sqlite(Path.of("/nowhere/at/all/store.db"));

    assertThatThrownBy(nowhere::open).hasMessageContaining("/nowhere/at/all");
  }

  @Test
  void aTransactionInsideATransactionIsRefusedInsteadOfWaitingForItself() {
    assertThatThrownBy(
            () -> store.inTransaction(tx -> store.<Integer, RuntimeException>inTransaction(x -> 1)))
        .hasStackTraceContaining("already in a transaction");
    assertThat(store.<Integer, RuntimeException>inTransaction(tx -> 7)).isEqualTo(7);
  }

  @Test
  void whatIsForPostgresOnlyIsRefused() {
    DurableStoreBuilder builder = DurableStore.sqlite(file());

    assertThatThrownBy(() -> builder.inSchema("x")).isInstanceOf(OptionException.class);
    assertThatThrownBy(() -> builder.listen("jdbc:postgresql://x/y", new Properties()))
        .isInstanceOf(OptionException.class);
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedAndFreeAgain() throws IOException {
    Path other = file().resolveSibling("letter.txt");
    Files.writeString(other, "Dear Ada, this is no database at all, however long it may become.");

    for (int i = 0; i < 2; i++) {
      DurableStoreBuilder builder = DurableStore.sqlite(other);
      assertThatThrownBy(builder::open).hasMessageStartingWith("WM2003");
    }
    assertThat(other).content().startsWith("Dear Ada");
  }

  @Test
  void theConnectionOfABrokenTransactionIsReplaced() {
    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      tx.connection().close();
                      return tx.unwrap(Handle.class).execute("SELECT 1");
                    }))
        .isInstanceOf(DurableStoreException.class);

    assertThat(store.<Integer, RuntimeException>inTransaction(tx -> 7)).isEqualTo(7);
  }
}
