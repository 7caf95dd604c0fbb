package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Several processes and callers' transactions with one fan-out on PostgreSQL. */
class PostgresFanoutSharingTest {
  private static final Duration LEASE = Duration.ofSeconds(40);

  private final PostgresDatabase database = new PostgresDatabase();
  private final DurableStore store = database.store().open();
  private final DurableStore other = database.store().open();
  private final List<String> arrived = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    store.close();
    other.close();
    database.close();
  }

  private static void eventually(Runnable assertion) {
    await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion::run);
  }

  private static List<FanoutMessage<String>> messages(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> FanoutMessage.of(prefix + i, "body")).toList();
  }

  private FanoutBuilder<String> builder(DurableStore of) {
    return Fanout.builder(of, "mail", Codec.text());
  }

  @Test
  void twoProcessesShareTheWorkAndDeliverNothingTwice() {
    CountDownLatch here = new CountDownLatch(1);
    CountDownLatch there = new CountDownLatch(1);
    FanoutHandler<String> deliversHere =
        batch -> {
          here.countDown();
          there.await(20, TimeUnit.SECONDS); // nobody does it all before the other has begun
          batch.forEach(each -> arrived.add(each.messageId()));
        };
    FanoutHandler<String> deliversThere =
        batch -> {
          there.countDown();
          here.await(20, TimeUnit.SECONDS);
          batch.forEach(each -> arrived.add(each.messageId()));
        };
    try (Fanout<String> one =
            builder(store)
                .deliver("consumer", deliversHere, TargetOptions::ackOnReturn)
                .paused()
                .build();
        Fanout<String> two =
            builder(other)
                .deliver("consumer", deliversThere, TargetOptions::ackOnReturn)
                .paused()
                .build()) {
      one.accept(messages("m", 300));
      one.resume();
      two.resume();
      eventually(() -> assertThat(two.pendingDeliveries()).isZero());
      assertThat(arrived).hasSize(300).doesNotHaveDuplicates();
    }
  }

  @Test
  void aClaimThatWasTakenOverSettlesNothingAnyMore() {
    TestTime time = new TestTime();
    try (DurableStore timed = database.store(time).open();
        Fanout<String> fanout = builder(timed).deliver("consumer", batch -> {}).paused().build()) {
      fanout.accept(messages("m", 3));
      FanoutTable paused = new FanoutTable(timed, new FanoutSql(timed), "paused");
      FanoutTable lively = new FanoutTable(timed, new FanoutSql(timed), "lively");
      long target = paused.targets(paused.fanout("mail"), Set.of()).values().iterator().next();
      FanoutClaim old = paused.claim(target, 10, 1, LEASE).orElseThrow();
      assertThat(lively.claim(target, 10, 1, LEASE)).isEmpty();
      time.advance(LEASE);
      FanoutClaim taken = lively.claim(target, 10, 1, LEASE).orElseThrow();

      for (FanoutRow row : old.rows()) {
        for (RowChange change :
            List.of(
                RowChange.remove(row),
                RowChange.again(row, Duration.ZERO, "late"),
                RowChange.dead(row, StoredMessage.Reason.EXPLICIT, null),
                RowChange.giveBack(row))) {
          assertThat(paused.settle(target, 1, List.of(change))).containsExactly(row.seq());
        }
      }
      assertThat(fanout.pendingDeliveries()).isEqualTo(3);
      assertThat(fanout.pending("consumer", 0, 10))
          .allMatch(each -> each.claimedBy().orElseThrow().equals("lively"));
      assertThat(lively.settle(target, 1, taken.rows().stream().map(RowChange::remove).toList()))
          .isEmpty();
      assertThat(fanout.pendingDeliveries()).isZero();
    }
  }

  @Test
  void acceptingWaitsForNoDeliveryAndDeliveryForNoAcceptance() throws SQLException {
    try (Fanout<String> fanout =
            builder(store)
                .deliver(
                    "consumer",
                    batch -> batch.forEach(each -> arrived.add(each.messageId())),
                    TargetOptions::ackOnReturn)
                .build();
        Connection open = database.connect()) {
      Outcome<AcceptedBatch> undecided = fanout.accept(open, messages("open", 2));
      assertThat(undecided.isAccepted()).isTrue();
      fanout.accept(messages("m", 20));
      eventually(() -> assertThat(arrived).hasSize(20));
      eventually(() -> assertThat(fanout.pendingDeliveries()).isZero());
      open.rollback();
      assertThat(fanout.pendingDeliveries()).isZero();
    }
  }

  @Test
  void aCallersSnapshotIsNoReasonToFail() throws SQLException {
    try (Fanout<String> fanout = builder(store).deliver("consumer", batch -> {}).paused().build();
        Connection open = database.connect()) {
      open.rollback();
      open.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      try (Statement statement = open.createStatement()) {
        statement.execute("SELECT 1");
      }
      fanout.accept(messages("meanwhile", 5));
      fanout.accept(open, messages("mine", 5));
      open.commit();
      assertThat(fanout.pendingDeliveries()).isEqualTo(10);
    }
  }

  @Test
  void batchesThatShareKeysAreAcceptedOnceWhoeverComesFirst() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Fanout<String> fanout = builder(store).deliver("consumer", batch -> {}).paused().build()) {
      CyclicBarrier together = new CyclicBarrier(4);
      List<Future<Boolean>> outcomes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        List<FanoutMessage<String>> batch = new ArrayList<>(messages("m", 50));
        Collections.shuffle(batch, random);
        Callable<Boolean> accepting =
            () -> {
              together.await();
              return fanout.accept(batch).isAccepted();
            };
        outcomes.add(threads.submit(accepting));
      }
      for (Future<Boolean> outcome : outcomes) {
        assertThat(outcome.get(30, TimeUnit.SECONDS)).as("seed %d", seed).isTrue();
      }
      assertThat(fanout.pendingDeliveries()).as("seed %d", seed).isEqualTo(50);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theBacklogIsCountedInFewRowsAgainAndStaysExactMeanwhile() throws SQLException {
    try (Fanout<String> fanout = builder(store).deliver("consumer", batch -> {}).paused().build()) {
      for (int i = 0; i < 100; i++) {
        try (Connection connection = database.connect()) {
          fanout.accept(connection, messages("m" + i + "-", 2));
          connection.commit();
        }
      }
      assertThat(fanout.pendingDeliveries()).isEqualTo(200);
      FanoutTable table = new FanoutTable(store, new FanoutSql(store), "test");
      eventually(
          () -> {
            store.scheduler().within(0);
            assertThat(table.backlog(table.fanout("mail")).parts()).isLessThanOrEqualTo(64);
          });
      assertThat(fanout.pendingDeliveries()).isEqualTo(200);
    }
  }

  // ---- processes that are killed ---------------------------------------------------------------

  /** Another process: consumes until it is killed, and notes what it consumed in a table. */
  static final class Consumer {
    private Consumer() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setURL(arguments[0]);
      source.setUser("postgres");
      DurableStore store = DurableStore.postgres(source).open();
      Fanout.builder(store, "mail", Codec.text())
          .deliver(
              "consumer",
              batch -> {
                for (FanoutDelivery<String> each : batch) {
                  note(source, each.messageId());
                  each.ack();
                }
              },
              o -> o.batchSize(4).concurrency(2).attemptTimeout(Duration.ofSeconds(1)))
          .build();
      System.out.println("consuming");
      new CountDownLatch(1).await();
    }

    private static void note(PGSimpleDataSource source, String id) throws SQLException {
      try (Connection connection = source.getConnection();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO consumed (id) VALUES (?)")) {
        insert.setString(1, id);
        insert.executeUpdate();
      }
    }
  }

  @Test
  void whatAKilledProcessHadClaimedIsConsumedByAnother() throws Exception {
    int count = 400;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE consumed (id text)");
      connection.commit();
    }
    try (Fanout<String> fanout = builder(store).deliver("consumer", batch -> {}).paused().build()) {
      for (int i = 0; i < 4; i++) {
        fanout.accept(messages("m" + i + "-", count / 4));
      }
      try (ChildJvm first = ChildJvm.start(Consumer.class, database.url());
          ChildJvm second = ChildJvm.start(Consumer.class, database.url())) {
        assertThat(first.line()).isEqualTo("consuming");
        assertThat(second.line()).isEqualTo("consuming");
        eventually(() -> assertThat(consumed("count(*)")).isGreaterThan(20));
        first.kill();
        await()
            .atMost(Duration.ofSeconds(60)) // a lease of 11 s, and what is left
            .untilAsserted(() -> assertThat(fanout.pendingDeliveries()).isZero());
        assertThat(consumed("count(DISTINCT id)")).isEqualTo(count);
        // At most what the killed one had claimed and not acknowledged comes twice.
        assertThat(consumed("count(*)")).isLessThanOrEqualTo(count + 8);
      }
    }
  }

  private long consumed(String what) {
    try (Connection connection = DriverManager.getConnection(database.url(), "postgres", "");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + what + " FROM consumed")) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
