package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Backoff;
import io.waymark.core.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever step a process dies at: batches are there whole or not at all, what is there reaches
 * each of its targets or the dead letters, the backlog counts what is there, and what was given to
 * the dead letters is not delivered again.
 */
abstract class FanoutCrashContract {
  /** Every tenth step; with {@code -Dwaymark.long=true} each. */
  private static final int STRIDE = Boolean.getBoolean("waymark.long") ? 1 : 10;

  private static final Backoff QUICK = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1));

  abstract TestDatabase newDatabase();

  /** Options for a store of a process that may die. */
  abstract DurableStoreBuilder store(TestDatabase database, TestTime time, Crash crash);

  /** What the outside saw, over all lives. */
  private static final class World {
    private final Set<String> consumed = new TreeSet<>();
    private final Set<String> archived = new TreeSet<>();
    private final Set<String> dead = new TreeSet<>();
    private final Set<String> given = new HashSet<>();
    private final Set<String> wrong = new TreeSet<>();

    /** Poison is given to the dead letters; the rest is acknowledged, one at its second attempt. */
    synchronized boolean consume(String message, int attempt) {
      if (given.contains(message)) {
        wrong.add(message + " was delivered after it had been given to the dead letters");
      }
      return !(message.equals("late") && attempt == 1);
    }

    synchronized void consumed(String message) {
      consumed.add(message);
    }

    /** The store says so: from now on it must not be delivered. */
    synchronized void given(Set<String> messages) {
      given.addAll(messages);
    }

    synchronized void archived(String message) {
      archived.add(message);
    }

    synchronized void dead(String message) {
      dead.add(message);
    }

    synchronized int seen() {
      return consumed.size() + archived.size() + dead.size();
    }
  }

  private static FanoutBuilder<String> fanout(DurableStore store, World world, Crash crash) {
    return Fanout.builder(store, "mail", Codec.text())
        .deliver(
            "consumer",
            batch -> {
              for (FanoutDelivery<String> each : batch) {
                crash.step(() -> world.consume(each.messageId(), each.attempt()));
                settle(world, each);
              }
            },
            o -> o.batchSize(3).concurrency(2).backoff(QUICK))
        .storage(
            "archive",
            message ->
                crash.step(
                    () -> {
                      world.archived(message.messageId());
                      return true;
                    }),
            o -> o.concurrency(2).backoff(QUICK))
        .deadLetters(
            message ->
                crash.step(
                    () -> {
                      world.dead(message.messageId());
                      return true;
                    }))
        .grace(Duration.ofMillis(50));
  }

  private static void settle(World world, FanoutDelivery<String> each) {
    if (each.messageId().equals("poison")) {
      each.deadLetter();
    } else if (each.messageId().equals("late") && each.attempt() == 1) {
      each.retry();
    } else {
      each.ack();
      world.consumed(each.messageId());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsLostWhateverStepTheProcessDiesAt(boolean after) throws Exception {
    Crash.atEveryStep(
        after,
        STRIDE,
        60,
        (crash, where) -> {
          try (TestDatabase database = newDatabase()) {
            diesAndIsFollowed(database, crash, where);
          }
        });
  }

  private void diesAndIsFollowed(TestDatabase database, Crash crash, String where)
      throws Exception {
    World world = new World();
    TestTime time = new TestTime();
    Set<String> accepted = lives(database, time, crash, world);

    // What was settled before the crash is not in the database any more.
    Crash never = new Crash(0, false);
    try (DurableStore store = database.store(time).open();
        Fanout<String> fanout = fanout(store, world, never).paused().build()) {
      time.watchedBy(fanout);
      assertThat(fanout.pendingDeliveries()).as(where).isEqualTo(rows(database, "delivery"));
      Set<String> there = messages(database, "");
      world.given(
          messages(
              database,
              " WHERE seq IN (SELECT message FROM waymark_fanout_delivery WHERE phase = 2)"));
      assertThat(there.contains("a") || world.archived.contains("a"))
          .as("%s: a batch is whole", where)
          .isEqualTo(there.contains("b") || world.archived.contains("b"));
      fanout.resume();
      await()
          .atMost(Duration.ofSeconds(20))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                time.advance(Duration.ofSeconds(15)); // leases of the dead end
                return fanout.pendingDeliveries() == 0;
              });
      assertThat(rows(database, "delivery")).as(where).isZero();
      assertThat(rows(database, "message")).as(where).isZero();
    }
    Set<String> withoutPoison = new TreeSet<>(accepted);
    withoutPoison.remove("poison");
    assertThat(world.consumed).as(where).containsAll(withoutPoison);
    assertThat(world.archived).as(where).containsAll(accepted);
    if (accepted.contains("poison")) {
      assertThat(world.dead).as(where).contains("poison");
    }
    assertThat(world.wrong).as(where).isEmpty();
  }

  private static long rows(TestDatabase database, String table) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM waymark_fanout_" + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static Set<String> messages(TestDatabase database, String where) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT message_id FROM waymark_fanout_message" + where)) {
      Set<String> ids = new TreeSet<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    }
  }

  /** A life: three batches, one of them in a caller's transaction. What was surely accepted. */
  private Set<String> lives(TestDatabase database, TestTime time, Crash crash, World world)
      throws Exception {
    Set<String> accepted = new TreeSet<>();
    try (DurableStore store = store(database, time, crash).open();
        Fanout<String> fanout = fanout(store, world, crash).build()) {
      time.watchedBy(fanout);
      for (List<String> batch : List.of(List.of("a", "b"), List.of("poison", "late"))) {
        Outcome<List<String>> outcome =
            fanout.accept(batch.stream().map(id -> FanoutMessage.of(id, id)).toList());
        assertThat(outcome.isAccepted()).isTrue();
        accepted.addAll(batch);
      }
      try (Connection real = database.connect()) {
        Connection connection = crash.around(real);
        Outcome<AcceptedBatch> outcome =
            fanout.accept(connection, List.of(FanoutMessage.of("c", "c")));
        connection.commit();
        accepted.add("c");
        outcome.map(
            batch -> {
              batch.wake();
              return batch;
            });
      }
      int all = 4 + 5 + 1;
      await()
          .atMost(Duration.ofSeconds(20))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                time.advance(Duration.ofMillis(300));
                return crash.happened() || (world.seen() == all && fanout.pendingDeliveries() == 0);
              });
    } catch (DurableStoreException | SQLException e) {
      assertThat(crash.happened()).as("nothing fails but by the crash: %s", e).isTrue();
    }
    return accepted;
  }
}
