package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever step a process dies at, the next one brings every receiver to what the caller's own
 * table says, and never from a newer value back to an older one.
 */
abstract class CrashContract {
  private static final Channel<String> LETTERS = Channel.of("letters", Codec.text());

  /** Every third step; with {@code -Dwaymark.long=true} each. */
  private static final int STRIDE = Boolean.getBoolean("waymark.long") ? 1 : 3;

  abstract TestDatabase newDatabase();

  /** Options for a store of a process that may die. */
  abstract DurableStoreBuilder store(TestDatabase database, TestTime time, Crash crash);

  /** What a receiver holds, and what reached it. */
  private static final class Receiver {
    private final Map<String, String> held = new TreeMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();

    synchronized Receipt receive(Delivery<String> delivery) {
      long before = versions.getOrDefault(delivery.key(), 0L);
      if (delivery.version() < before) {
        wrong.add(delivery + " after version " + before);
      }
      versions.put(delivery.key(), delivery.version());
      held.put(delivery.key(), delivery.value());
      return Receipt.delivered();
    }

    synchronized Map<String, String> held() {
      return new TreeMap<>(held);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndIsTheNewestStateWhateverStepTheProcessDiesAt(boolean after) throws Exception {
    Crash.atEveryStep(
        after,
        STRIDE,
        30, // some more or less, by how many values meet in one delivery
        (crash, where) -> {
          try (TestDatabase database = newDatabase()) {
            diesAndIsFollowed(database, crash, where);
          }
        });
  }

  private void diesAndIsFollowed(TestDatabase database, Crash crash, String where)
      throws Exception {
    Receiver receiver = new Receiver();
    TestTime time = new TestTime();
    prepare(database);
    lives(database, time, crash, receiver);

    time.advance(Duration.ofSeconds(1));
    try (DurableStore store = database.store(time).open();
        Outbox outbox = Outbox.builder(store).deliver(LETTERS, receiver::receive).build()) {
      time.watchedBy(outbox);
      await()
          .atMost(Duration.ofSeconds(20))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                time.advance(Duration.ofSeconds(15)); // leases of the dead end
                return outbox.backlog().isEmpty();
              });
      assertThat(receiver.held()).as(where).isEqualTo(newest(database));
      assertThat(receiver.wrong).as(where).isEmpty();
    }
  }

  private static void prepare(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE letters (name varchar(9) PRIMARY KEY, text varchar(9))");
      connection.commit();
    }
  }

  /** The caller's own table. */
  private static Map<String, String> newest(TestDatabase database) throws SQLException {
    Map<String, String> newest = new TreeMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name, text FROM letters")) {
      while (rows.next()) {
        newest.put(rows.getString(1), rows.getString(2));
      }
    }
    return newest;
  }

  /** A life: some changes with a delivery each, one of which fails at first. */
  private void lives(TestDatabase database, TestTime time, Crash crash, Receiver receiver)
      throws Exception {
    Map<String, Integer> attempts = new ConcurrentHashMap<>();
    DeliveryHandler<String> handler =
        delivery ->
            crash.step(
                () -> {
                  if (delivery.value().equals("b2")
                      && attempts.merge(delivery.key(), 1, Integer::sum) == 1) {
                    throw new IllegalStateException("not yet");
                  }
                  return receiver.receive(delivery);
                });
    try (DurableStore store = store(database, time, crash).open();
        Outbox outbox =
            Outbox.builder(store).deliver(LETTERS, handler).grace(Duration.ofMillis(50)).build()) {
      time.watchedBy(outbox);
      change(database, crash, outbox, Map.of("ada", "a1", "bob", "b1"));
      change(database, crash, outbox, Map.of("bob", "b2"));
      change(database, crash, outbox, Map.of("ada", "a2", "cleo", "c1"));
      await()
          .atMost(Duration.ofSeconds(20))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                time.advance(Duration.ofMillis(600));
                return crash.happened() || receiver.held().containsValue("b2");
              });
      if (!crash.happened()) {
        await()
            .atMost(Duration.ofSeconds(20))
            .pollDelay(Duration.ZERO)
            .until(
                () -> {
                  time.advance(Duration.ofMillis(60)); // for an answer that found its row locked
                  return crash.happened() || outbox.backlog().isEmpty();
                });
      }
    } catch (DurableStoreException | SQLException e) {
      assertThat(crash.happened()).as("nothing fails but by the crash: %s", e).isTrue();
    }
  }

  /** One change of the caller's, in a transaction of his own. */
  private static void change(
      TestDatabase database, Crash crash, Outbox outbox, Map<String, String> letters)
      throws Exception {
    try (Connection real = database.connect()) {
      Connection connection = crash.around(real);
      List<Item> items = new ArrayList<>();
      try (Statement statement = connection.createStatement()) {
        for (Map.Entry<String, String> letter : new TreeMap<>(letters).entrySet()) {
          statement.executeUpdate("DELETE FROM letters WHERE name = '" + letter.getKey() + "'");
          statement.executeUpdate(
              "INSERT INTO letters VALUES ('"
                  + letter.getKey()
                  + "', '"
                  + letter.getValue()
                  + "')");
          items.add(LETTERS.item(letter.getKey(), letter.getValue()));
        }
      }
      Staged staged = outbox.stage(connection, items);
      connection.commit();
      staged.wake();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tablesAreThereOrNotAtAllWhateverStepTheFirstStartDiesAt(boolean after) throws Exception {
    Crash.atEveryStep(
        after,
        STRIDE,
        10,
        (crash, where) -> {
          try (TestDatabase database = newDatabase()) {
            startsAndIsFollowed(database, crash);
          }
        });
  }

  private void startsAndIsFollowed(TestDatabase database, Crash crash) {
    TestTime time = new TestTime();
    try (DurableStore store = store(database, time, crash).open()) {
      store.migrate(StoreContract.THINGS);
    } catch (DurableStoreException e) {
      assertThat(crash.happened()).as("nothing fails but by the crash: %s", e).isTrue();
    }
    try (DurableStore store = database.store(time).open()) {
      store.migrate(StoreContract.THINGS);
    }
  }

  @Test
  void aCrashThatNeverComesIsNone() throws Exception {
    Crash never = new Crash(0, false);
    try (TestDatabase database = newDatabase()) {
      diesAndIsFollowed(database, never, "no step");
    }
    assertThat(never.happened()).isFalse();
  }
}
