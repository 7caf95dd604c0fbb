package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an outbox does, whatever database its store is on. */
abstract class OutboxContract {
  static final Channel<String> LETTERS = Channel.of("letters", Codec.text());

  TestDatabase database;
  DurableStore store;
  final Inbox inbox = new Inbox();

  OutboxContract() {
    database = newDatabase();
    store = database.store().open();
  }

  abstract TestDatabase newDatabase();

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  /** Stages in a transaction of a connection of the test's own. */
  Staged stage(Outbox outbox, Item... items) throws SQLException {
    try (Connection connection = database.connect()) {
      Staged staged = outbox.stage(connection, items);
      connection.commit();
      return staged;
    }
  }

  @Test
  void whatIsStagedIsDeliveredAfterTheCommit() throws SQLException {
    try (Outbox outbox = Outbox.builder(store).deliver(LETTERS, inbox).build()) {
      Staged staged = stage(outbox, LETTERS.item("ada", "hello"));
      staged.wake();

      await().untilAsserted(() -> assertThat(inbox.of("ada")).containsExactly("hello"));
      await().until(() -> !outbox.find(LETTERS, "ada").orElseThrow().pending());
      assertThat(outbox.find(LETTERS, "ada").orElseThrow().deliveredVersion())
          .isEqualTo(staged.version(LETTERS, "ada"))
          .isPositive();
    }
  }

  @Test
  void aTransactionOfTheStoreWakesByItself() throws InterruptedException {
    try (Outbox outbox = Outbox.builder(store).deliver(LETTERS, inbox).build()) {
      Staged staged =
          store.inTransaction(
              tx -> outbox.stage(tx, LETTERS.item("ada", "1"), LETTERS.item("bob", "2")));

      for (Staged.Entry entry : staged.entries()) {
        assertThat(
                outbox
                    .awaitSettled(LETTERS, entry.key(), entry.version(), Duration.ofSeconds(10))
                    .state())
            .isEqualTo(Settlement.State.DELIVERED);
      }
      assertThat(inbox.of("ada")).containsExactly("1");
      assertThat(inbox.of("bob")).containsExactly("2");
    }
  }

  @Test
  void whatIsRolledBackIsNeverDelivered() throws SQLException {
    try (Outbox outbox = Outbox.builder(store).deliver(LETTERS, inbox).build()) {
      try (Connection connection = database.connect()) {
        Staged staged = outbox.stage(connection, LETTERS.item("ada", "never"));
        connection.rollback();
        staged.wake();
      }
      stage(outbox, LETTERS.item("bob", "after")).wake();

      await().untilAsserted(() -> assertThat(inbox.of("bob")).containsExactly("after"));
      assertThat(inbox.of("ada")).isEmpty();
      assertThat(outbox.find(LETTERS, "ada")).isEmpty();
    }
  }

  @Test
  void onlyTheNewestValueOfAKeyIsPending() throws SQLException {
    try (Outbox outbox = Outbox.builder(store).deliver(LETTERS, inbox).paused().build()) {
      long last = 0;
      for (String value : List.of("1", "2", "3")) {
        long version = stage(outbox, LETTERS.item("ada", value)).version(LETTERS, "ada");
        assertThat(version).isGreaterThan(last);
        last = version;
      }
      outbox.resume();

      await().untilAsserted(() -> assertThat(inbox.of("ada")).containsExactly("3"));
      await().until(() -> outbox.backlog().isEmpty());
      assertThat(inbox.arrivals()).hasSize(1);
      assertThat(inbox.arrivals().get(0).version()).isEqualTo(last);
    }
  }

  @Test
  void whatAProcessStagedBeforeItDiedIsDeliveredByTheNext() throws SQLException {
    try (Outbox outbox = Outbox.builder(store).build()) {
      stage(outbox, LETTERS.item("ada", "hello"));
    }
    store.close();
    store = database.store().open();

    try (Outbox outbox = Outbox.builder(store).deliver(LETTERS, inbox).build()) {
      await().untilAsserted(() -> assertThat(inbox.of("ada")).containsExactly("hello"));
      await().until(() -> outbox.backlog().isEmpty());
    }
  }
}
