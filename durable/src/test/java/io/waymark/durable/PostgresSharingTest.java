package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.OutboxEvent.Kind;
import io.waymark.durable.OutboxTable.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several processes and callers' transactions on one PostgreSQL store. */
class PostgresSharingTest {
  private static final Channel<String> LETTERS = Channel.of("letters", Codec.text());
  private static final Duration LEASE = Duration.ofSeconds(40);

  private final PostgresDatabase database = new PostgresDatabase();
  private final DurableStore store = database.store().open();
  private final DurableStore other = database.store().open();
  private final Inbox inbox = new Inbox();
  private final Inbox othersInbox = new Inbox();

  @AfterEach
  void close() {
    store.close();
    other.close();
    database.close();
  }

  private OutboxTable table(DurableStore of, String owner) {
    return new OutboxTable(of, new OutboxSql(of), owner);
  }

  private StagedVersions stage(Outbox outbox, Item... items) {
    return store.inTransaction(tx -> outbox.stageTracked(tx, items));
  }

  private static void eventually(Runnable assertion) {
    await().atMost(Duration.ofSeconds(20)).untilAsserted(assertion::run);
  }

  @Test
  void twoProcessesShareTheWorkAndDeliverNothingTwice() {
    CountDownLatch begunHere = new CountDownLatch(1);
    CountDownLatch begunThere = new CountDownLatch(1);
    DeliveryHandler<String> deliversHere = // nobody does it all before the other has begun
        delivery -> {
          begunHere.countDown();
          begunThere.await(20, TimeUnit.SECONDS);
          return inbox.deliver(delivery);
        };
    DeliveryHandler<String> deliversThere =
        delivery -> {
          begunThere.countDown();
          begunHere.await(20, TimeUnit.SECONDS);
          return othersInbox.deliver(delivery);
        };
    try (Outbox here = Outbox.builder(store).deliver(LETTERS, deliversHere).paused().build();
        Outbox there = Outbox.builder(other).deliver(LETTERS, deliversThere).paused().build()) {
      for (int i = 0; i < 200; i++) {
        stage(here, LETTERS.item("key-" + i, "v"));
      }
      here.resume();
      there.resume();
      eventually(() -> assertThat(here.backlog()).isEmpty());

      assertThat(inbox.arrivals()).isNotEmpty();
      assertThat(othersInbox.arrivals()).isNotEmpty();
      List<String> keys = new CopyOnWriteArrayList<>();
      inbox.arrivals().forEach(each -> keys.add(each.key()));
      othersInbox.arrivals().forEach(each -> keys.add(each.key()));
      assertThat(keys).hasSize(200).doesNotHaveDuplicates();
    }
  }

  @Test
  void aListeningProcessHearsAtOnceWhatAnotherStaged() throws Exception {
    Properties login = new Properties();
    login.setProperty("user", "postgres");
    DurableStoreBuilder listening =
        database.store().poll(Duration.ofSeconds(15)).listen(database.url(), login);
    try (DurableStore listener = listening.open();
        Outbox there = Outbox.builder(listener).deliver(LETTERS, othersInbox).build();
        Outbox here = Outbox.builder(store).build()) {
      eventually(() -> assertThat(listeners()).hasSize(1));
      long begun = System.nanoTime();
      StagedVersions staged = stage(here, LETTERS.item("ada", "1"));
      Settlement settlement =
          here.awaitSettled(LETTERS, "ada", staged.version(LETTERS, "ada"), Duration.ofSeconds(10));
      long took = System.nanoTime() - begun;

      assertThat(settlement.isDelivered()).isTrue();
      assertThat(there.backlog()).isEmpty();
      assertThat(othersInbox.of("ada")).containsExactly("1");
      assertThat(took).as("far less than a poll").isLessThan(TimeUnit.SECONDS.toNanos(5));
    }
    eventually(() -> assertThat(listeners()).isEmpty());
  }

  @Test
  void aListenerWhoseConnectionDiedConnectsAgainAndLooksForWhatItMissed() throws Exception {
    Properties login = new Properties();
    login.setProperty("user", "postgres");
    DurableStoreBuilder listening =
        database.store().poll(Duration.ofSeconds(15)).listen(database.url(), login);
    try (DurableStore listener = listening.open();
        Outbox there = Outbox.builder(listener).deliver(LETTERS, othersInbox).build();
        Outbox here = Outbox.builder(store).build()) {
      eventually(() -> assertThat(listeners()).hasSize(1));
      int first = listeners().iterator().next();
      query("SELECT pg_terminate_backend(" + first + ")");
      eventually(() -> assertThat(listeners()).hasSize(1).allMatch(pid -> pid != first));
      stage(here, LETTERS.item("ada", "1"));

      await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(() -> assertThat(othersInbox.of("ada")).containsExactly("1"));
      eventually(() -> assertThat(there.backlog()).isEmpty());
    }
  }

  private Set<Integer> listeners() {
    return query("SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN waymark_outbox'");
  }

  private Set<Integer> query(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      Set<Integer> pids = new HashSet<>();
      while (rows.next()) {
        pids.add(rows.getObject(1) instanceof Integer pid ? pid : 0);
      }
      return pids;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void stagingWaitsForNoDeliveryAndDeliveryForNoStaging() throws SQLException {
    try (Outbox outbox = Outbox.builder(store).build();
        Connection open = database.connect()) {
      stage(outbox, LETTERS.item("ada", "1"), LETTERS.item("bob", "1"));
      outbox.stageTracked(open, LETTERS.item("ada", "2")); // and does not commit

      OutboxTable table = table(store, "me");
      assertThat(table.claim("letters", 1, LEASE))
          .hasValueSatisfying(claim -> assertThat(claim.key()).isEqualTo("bob"));
      assertThat(table.claim("letters", 2, LEASE)).isEmpty();
      open.rollback();
      assertThat(table.claim("letters", 3, LEASE)).isPresent();
    }
  }

  @Test
  void anAnswerThatFindsTheRowLockedIsGivenAgainWhenItIsFree() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DeliveryHandler<String> slow =
        delivery -> {
          begun.countDown();
          goOn.await();
          return inbox.deliver(delivery);
        };
    List<OutboxEvent> events = new CopyOnWriteArrayList<>();
    try (Outbox outbox = Outbox.builder(store).deliver(LETTERS, slow).onEvent(events::add).build();
        Connection open = database.connect()) {
      stage(outbox, LETTERS.item("ada", "1"));
      begun.await();
      StagedVersions second = outbox.stageTracked(open, LETTERS.item("ada", "2"));
      goOn.countDown();
      eventually(() -> assertThat(inbox.of("ada")).containsExactly("1"));
      assertThat(outbox.find(LETTERS, "ada").orElseThrow().claimedBy()).isPresent();
      open.commit();
      second.wake();

      // Long before the lease of 40 s ends.
      eventually(() -> assertThat(inbox.of("ada")).containsExactly("1", "2"));
      eventually(() -> assertThat(outbox.backlog()).isEmpty());
      assertThat(events).extracting(OutboxEvent::kind).containsOnly(Kind.DELIVERED);
    }
  }

  @Test
  void aClaimThatWasTakenOverSettlesNothingAnyMore() {
    TestTime time = new TestTime();
    try (DurableStore timed = database.store(time).open();
        Outbox outbox = Outbox.builder(timed).build()) {
      timed.inTransaction(tx -> outbox.stageTracked(tx, LETTERS.item("ada", "1")));
      OutboxTable paused = table(timed, "paused");
      OutboxTable lively = table(timed, "lively");
      Claim old = paused.claim("letters", 1, LEASE).orElseThrow();
      assertThat(lively.claim("letters", 1, LEASE)).isEmpty();
      time.advance(LEASE);
      Claim taken = lively.claim("letters", 1, LEASE).orElseThrow();

      assertThat(paused.delivered(old)).isEqualTo(Settled.LOST);
      assertThat(paused.again(old, "error", Duration.ZERO, 1)).isEqualTo(Settled.LOST);
      assertThat(outbox.find(LETTERS, "ada").orElseThrow().claimedBy()).contains("lively");
      assertThat(lively.delivered(taken)).isEqualTo(Settled.DONE);
      assertThat(paused.delivered(old)).isEqualTo(Settled.LOST);
    }
  }
}
