package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Backoff;
import io.waymark.core.LoadSnapshot;
import io.waymark.core.OptionException;
import io.waymark.core.Outcome;
import io.waymark.core.RoutingLoad;
import io.waymark.durable.FanoutEvent.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a fan-out does, whatever database its store is on. */
abstract class FanoutContract {
  private static final Duration LONG = Duration.ofSeconds(20);

  final TestDatabase database = newDatabase();
  final TestTime time = new TestTime();
  DurableStore store = database.store(time).open();
  RoutingLoad load = newLoad();
  final List<FanoutEvent> events = new CopyOnWriteArrayList<>();
  final List<String> arrived = new CopyOnWriteArrayList<>();
  final List<StoredMessage<String>> stored = new CopyOnWriteArrayList<>();
  final List<StoredMessage<String>> dead = new CopyOnWriteArrayList<>();

  abstract TestDatabase newDatabase();

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  // ---- levers ----------------------------------------------------------------------------------

  private RoutingLoad newLoad() {
    return RoutingLoad.of(time, Clock.systemUTC());
  }

  FanoutBuilder<String> builder() {
    return Fanout.builder(store, "mail", Codec.text())
        .onEvent(events::add)
        .load(load)
        .grace(Duration.ofMillis(200));
  }

  Fanout<String> open(FanoutBuilder<String> builder) {
    Fanout<String> fanout = builder.build();
    time.watchedBy(fanout);
    return fanout;
  }

  /** As after a restart of the process: another store object, and nothing in memory. */
  private void restart() {
    store.close();
    store = database.store(time).open();
    load = newLoad();
  }

  /** Acknowledges each message, and remembers {@code id:attempt}. */
  private void consume(FanoutBatch<String> batch) {
    for (FanoutDelivery<String> each : batch) {
      arrived.add(each.messageId() + ":" + each.attempt());
      each.ack();
    }
  }

  private static FanoutMessage<String> message(String id) {
    return FanoutMessage.of(id, "body of " + id);
  }

  private static List<FanoutMessage<String>> messages(String... ids) {
    List<FanoutMessage<String>> messages = new ArrayList<>();
    for (String id : ids) {
      messages.add(message(id));
    }
    return messages;
  }

  private static <R> Outcome.Rejection rejection(Outcome<R> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return ((Outcome.Rejected<R>) outcome).error();
  }

  static ConditionFactory eventually() {
    return await().atMost(LONG).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
  }

  /**
   * Time goes on a little: the process sees a moment before the store does, and who looks in
   * between looks again at the next poll.
   */
  void settled(Fanout<String> fanout) {
    eventually()
        .until(
            () -> {
              time.advance(Duration.ofMillis(20));
              return fanout.pendingDeliveries() == 0;
            });
    // And the rows say so, too.
    for (TargetBacklog each : fanout.backlog()) {
      assertThat(fanout.pending(each.target(), 0, 10)).isEmpty();
    }
  }

  /**
   * Lets time pass until all that waits has been tried, some seconds at a time, but not while an
   * attempt is under way: a slow machine would make it one that takes too long.
   */
  void advanceUntilSettled(Fanout<String> fanout) {
    eventually()
        .until(
            () -> {
              if (fanout.load().outbound().inFlight() == 0) {
                time.advance(Duration.ofSeconds(5));
              }
              return fanout.pendingDeliveries() == 0;
            });
  }

  void happens(Kind kind, int times) {
    eventually().untilAsserted(() -> assertThat(of(kind)).hasSize(times));
  }

  List<FanoutEvent> of(Kind kind) {
    return events.stream().filter(event -> event.kind() == kind).toList();
  }

  /** As seen past our own counting: rows of one of the tables. */
  private long rows(String table) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void assertNothingWritten(Fanout<String> fanout) throws SQLException {
    assertThat(fanout.pendingDeliveries()).isZero();
    assertThat(rows("waymark_fanout_message")).isZero();
    assertThat(rows("waymark_fanout_delivery")).isZero();
  }

  // ---- accepting -------------------------------------------------------------------------------

  @Test
  void whatIsAcceptedReachesEveryTargetByItself() {
    FanoutBuilder<String> options =
        builder()
            .deliver("consumer", this::consume)
            .deliver(
                "broken",
                batch -> {
                  throw new IllegalStateException("no");
                },
                o -> o.attempts(2))
            .deadLetters(dead::add)
            .paused();
    try (Fanout<String> fanout = open(options)) {
      Outcome<List<String>> outcome = fanout.accept(messages("b", "a"));

      assertThat(outcome.isAccepted()).isTrue();
      assertThat(((Outcome.Accepted<List<String>>) outcome).value()).containsExactly("b", "a");
      LoadSnapshot after = outcome.load().orElseThrow();
      assertThat(after.pendingDeliveries()).isEqualTo(4);
      assertThat(after.inbound().completed()).isEqualTo(1);
      assertThat(after.inbound().inFlight()).isZero();

      fanout.resume();
      eventually().until(() -> arrived.size() == 2);
      advanceUntilSettled(fanout);
      assertThat(arrived).containsExactly("b:1", "a:1");
      assertThat(dead).extracting(StoredMessage::messageId).containsExactlyInAnyOrder("b", "a");
      assertThat(dead).allMatch(each -> each.attempts() == 2 && each.target().equals("broken"));
      assertThat(dead.get(0).failure().orElseThrow().reason())
          .isEqualTo(StoredMessage.Reason.EXHAUSTED);
      assertThat(dead.get(0).failure().orElseThrow().error()).contains("IllegalStateException: no");
    }
  }

  @Test
  void anEmptyBatchIsAccepted() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume))) {
      assertThat(fanout.accept(List.of()).isAccepted()).isTrue();
      assertNothingWritten(fanout);
    }
  }

  @Test
  void theSameMessageIsAcceptedAgainWithoutBeingDeliveredTwice() {
    AtomicBoolean broken = new AtomicBoolean(true);
    FanoutHandler<String> sometimes =
        batch -> {
          if (broken.get()) {
            throw new IllegalStateException("not yet");
          }
          batch.forEach(FanoutDelivery::ack);
        };
    Consumer<TargetOptions> patient =
        o -> o.attempts(1_000).backoff(new Backoff(Duration.ofHours(1), Duration.ofHours(1)));
    FanoutBuilder<String> first =
        builder().deliver("consumer", this::consume).deliver("other", sometimes, patient);
    try (Fanout<String> fanout = open(first)) {
      fanout.accept(message("a"));
      eventually().until(() -> fanout.pendingDeliveries() == 1);
      happens(Kind.FAILED, 1);

      assertThat(fanout.accept(message("a")).isAccepted()).isTrue();
      assertThat(fanout.pendingDeliveries()).isEqualTo(1);
    }
    restart();
    FanoutBuilder<String> second =
        builder().deliver("consumer", this::consume).deliver("other", sometimes, patient);
    try (Fanout<String> fanout = open(second)) {
      assertThat(fanout.accept(message("a")).isAccepted()).isTrue();
      assertThat(fanout.pendingDeliveries()).isEqualTo(1);
      broken.set(false);
      time.advance(Duration.ofHours(1));
      settled(fanout);
      assertThat(arrived).containsExactly("a:1");

      // Settled by all: the key is free again.
      assertThat(fanout.accept(message("a")).isAccepted()).isTrue();
      settled(fanout);
      assertThat(arrived).containsExactly("a:1", "a:1");
    }
  }

  @Test
  void aConflictRejectsTheWholeBatchAndLeavesNothingOfIt() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      fanout.accept(message("taken"));
      long before = rows("waymark_fanout_message");

      Outcome<List<String>> outcome =
          fanout.accept(
              List.of(message("a"), message("b"), FanoutMessage.of("taken", "something else")));
      assertThat(rejection(outcome).name()).isEqualTo("WM2011");
      assertThat(rejection(outcome).message()).contains("\"taken\"");
      assertThat(outcome.load().orElseThrow().pendingDeliveries()).isEqualTo(1);
      assertThat(rows("waymark_fanout_message")).isEqualTo(before);

      FanoutMessage<String> otherId = message("other").withDeduplicationKey("taken");
      assertThat(rejection(fanout.accept(List.of(message("a"), otherId))).name())
          .isEqualTo("WM2011");
      assertThat(rows("waymark_fanout_delivery")).isEqualTo(1);
    }
  }

  @Test
  void aMessageThatIsTwiceInABatchIsOneUnlessTheyDiffer() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      Outcome<List<String>> twice = fanout.accept(messages("a", "b", "a"));
      assertThat(((Outcome.Accepted<List<String>>) twice).value()).containsExactly("a", "b", "a");
      assertThat(fanout.pendingDeliveries()).isEqualTo(2);

      Outcome<List<String>> differ =
          fanout.accept(List.of(message("c"), FanoutMessage.of("c", "something else")));
      assertThat(rejection(differ).name()).isEqualTo("WM2011");
      assertThat(fanout.pendingDeliveries()).isEqualTo(2);
      assertThat(rows("waymark_fanout_message")).isEqualTo(2);
    }
  }

  @Test
  void whatCannotBeAcceptedIsRejectedBeforeAnythingIsWritten() throws SQLException {
    FanoutBuilder<String> options =
        Fanout.builder(store, "mail", PickyCodec.INSTANCE)
            .deliver("consumer", this::consume)
            .load(load);
    try (Fanout<String> fanout = open(options)) {
      for (Outcome<List<String>> outcome :
          List.of(
              fanout.accept(messages("a"), Set.of("nobody")),
              fanout.accept(messages("a"), Set.of()),
              fanout.accept(messages("a"), List.of("consumer", "consumer")),
              fanout.accept(List.of(message("a"), FanoutMessage.of("b", ""))),
              fanout.accept(List.of(message("a"), FanoutMessage.of("b", "NUL \0"))),
              fanout.accept(List.of(message("a"), FanoutMessage.of("  ", "blank id"))),
              fanout.accept(List.of(message("a"), message("b").withDeduplicationKey(""))))) {
        assertThat(rejection(outcome).name()).isEqualTo("WM2010");
        assertThat(outcome.load()).isPresent();
      }
      assertThat(rejection(fanout.accept(messages("a"), Set.of("nobody"))).message())
          .contains("\"nobody\"", "[consumer]");
      assertNothingWritten(fanout);
      assertThat(fanout.load().inbound().completed()).isEqualTo(8);
      assertThat(arrived).isEmpty();
    }
  }

  @Test
  void whatIsAcceptedInACallersTransactionIsThereIfThatCommits() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume))) {
      try (Connection connection = database.connect()) {
        fanout.accept(connection, messages("never"));
        connection.rollback();
      }
      assertNothingWritten(fanout);
      try (Connection connection = database.connect()) {
        Outcome<AcceptedBatch> outcome = fanout.accept(connection, messages("a", "b"));
        connection.commit();
        outcome.map(
            batch -> {
              assertThat(batch.ids()).containsExactly("a", "b");
              batch.wake();
              return batch;
            });
      }
      settled(fanout);
      assertThat(arrived).containsExactlyInAnyOrder("a:1", "b:1");
    }
  }

  @Test
  void aRejectionLeavesACallersTransactionOfUse() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      fanout.accept(message("taken"));
      try (Connection connection = database.connect()) {
        Outcome<AcceptedBatch> refused =
            fanout.accept(
                connection, List.of(message("a"), FanoutMessage.of("taken", "something else")));
        Outcome<AcceptedBatch> taken = fanout.accept(connection, messages("b"));
        connection.commit();

        assertThat(rejection(refused).name()).isEqualTo("WM2011");
        assertThat(taken.isAccepted()).isTrue();
      }
      assertThat(fanout.pending("consumer", 0, 10))
          .extracting(DeliveryStatus::messageId)
          .containsExactly("taken", "b");
      assertThat(fanout.pendingDeliveries()).isEqualTo(2);
      assertThat(rows("waymark_fanout_message")).isEqualTo(2);
    }
  }

  @Test
  void aTransactionOfTheStoreWakesByItself() {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume))) {
      boolean accepted = store.inTransaction(tx -> fanout.accept(tx, messages("a")).isAccepted());
      assertThat(accepted).isTrue();
      settled(fanout);
      assertThat(arrived).containsExactly("a:1");
    }
  }

  @Test
  void acceptingOutsideOfATransactionIsRefused() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume));
        Connection connection = database.connect()) {
      connection.rollback();
      connection.setAutoCommit(true);
      assertThatThrownBy(() -> fanout.accept(connection, messages("a")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void aFailingStoreIsAnExceptionAndNoRejection() throws SQLException {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume))) {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("DROP TABLE waymark_fanout_delivery");
        connection.commit();
      }
      assertThatThrownBy(() -> fanout.accept(message("a")))
          .isInstanceOf(DurableStoreException.class)
          .hasMessageStartingWith("WM2003");
      assertThat(rows("waymark_fanout_message")).isZero();
      assertThat(fanout.load().inbound().inFlight()).isZero();
      assertThat(fanout.load().inbound().completed()).isEqualTo(1);
    }
  }

  // ---- recipients ------------------------------------------------------------------------------

  @Test
  void workOfARemovedTargetWaitsForItAndANewTargetGetsNoneOfIt() {
    FanoutBuilder<String> first =
        builder().deliver("old", this::consume).storage("archive", stored::add).paused();
    try (Fanout<String> fanout = open(first)) {
      fanout.accept(messages("a"));
    }
    restart();
    FanoutBuilder<String> second =
        builder().storage("archive", stored::add).deliver("new", this::consume);
    try (Fanout<String> fanout = open(second)) {
      eventually().until(() -> stored.size() == 1);
      eventually().until(() -> fanout.pendingDeliveries() == 1);
      happens(Kind.TARGET_MISSING, 1);
      time.advance(Duration.ofMinutes(1));
      happens(Kind.TARGET_MISSING, 2);

      assertThat(of(Kind.TARGET_MISSING)).allMatch(event -> event.target().equals("old"));
      assertThat(fanout.backlog())
          .containsExactly(
              new TargetBacklog("archive", true, 0),
              new TargetBacklog("new", true, 0),
              new TargetBacklog("old", false, 1));
      assertThat(arrived).isEmpty();
    }
    restart();
    FanoutBuilder<String> third =
        builder()
            .deliver("old", this::consume)
            .storage("archive", stored::add)
            .deliver("new", batch -> arrived.add("wrong"));
    try (Fanout<String> fanout = open(third)) {
      settled(fanout);
      assertThat(arrived).containsExactly("a:1");
      assertThat(stored).hasSize(1);
    }
  }

  @Test
  void aMessageMayGoToSomeOfTheTargetsOnly() {
    FanoutBuilder<String> options =
        builder().deliver("consumer", this::consume).storage("archive", stored::add);
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a"), Set.of("archive"));
      settled(fanout);
      assertThat(stored).extracting(StoredMessage::messageId).containsExactly("a");
      assertThat(arrived).isEmpty();
    }
  }

  @Test
  void aTargetThatHangsHoldsUpNoOther() {
    CountDownLatch goOn = new CountDownLatch(1);
    FanoutBuilder<String> options =
        builder()
            .deliver("consumer", this::consume)
            .deliver(
                "slow",
                batch -> {
                  goOn.await(20, TimeUnit.SECONDS);
                  batch.forEach(FanoutDelivery::ack);
                });
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      eventually().until(() -> arrived.size() == 1 && fanout.pendingDeliveries() == 1);
      eventually().until(() -> fanout.load().outbound().inFlight() == 1);
      goOn.countDown();
      settled(fanout);
      eventually().until(() -> fanout.load().outbound().inFlight() == 0);
      assertThat(fanout.load().outbound().completed()).isEqualTo(2);
    }
  }

  // ---- settling --------------------------------------------------------------------------------

  @Test
  void aMessageThatIsRetriedBecomesDueAtTheTimeThatWasAskedFor() {
    AtomicReference<Throwable> second = new AtomicReference<>();
    FanoutHandler<String> handler =
        batch -> {
          FanoutDelivery<String> only = batch.deliveries().get(0);
          arrived.add(only.messageId() + ":" + only.attempt());
          if (only.attempt() == 1) {
            only.retry(Duration.ofMillis(10));
            try {
              only.ack();
            } catch (FanoutSettlementException e) {
              second.set(e);
            }
          } else {
            only.ack();
          }
        };
    try (Fanout<String> fanout = open(builder().deliver("consumer", handler))) {
      fanout.accept(message("a"));
      happens(Kind.RETRIED, 1);
      assertThat(of(Kind.RETRIED).get(0).next()).contains(Duration.ofMillis(10));
      assertThat(second.get())
          .hasMessageStartingWith("WM2012")
          .hasMessageContaining("\"a\"")
          .hasMessageContaining("given back to be tried again");

      time.advance(Duration.ofMillis(9));
      assertThat(fanout.pending("consumer", 0, 1).get(0).due()).isEqualTo(Duration.ofMillis(1));
      assertThat(arrived).containsExactly("a:1");
      settled(fanout);
      assertThat(arrived).containsExactly("a:1", "a:2");
    }
  }

  @Test
  void waitsThatCannotBeAreRefusedAndSettleNothing() {
    List<Throwable> refused = new CopyOnWriteArrayList<>();
    FanoutHandler<String> handler =
        batch -> {
          for (FanoutDelivery<String> each : batch) {
            for (Duration wait : List.of(Duration.ofNanos(-1), Duration.ofDays(10_001))) {
              try {
                each.retry(wait);
              } catch (IllegalArgumentException e) {
                refused.add(e);
              }
            }
            each.ack();
          }
        };
    try (Fanout<String> fanout = open(builder().deliver("consumer", handler))) {
      fanout.accept(message("a"));
      settled(fanout);
      assertThat(refused).hasSize(2);
      happens(Kind.DELIVERED, 1);
    }
  }

  @Test
  void whatWasNeverAttemptedComesBeforeWhatIsTriedAgain() {
    FanoutHandler<String> handler =
        batch -> {
          FanoutDelivery<String> only = batch.deliveries().get(0);
          arrived.add(only.messageId() + ":" + only.attempt());
          if (only.messageId().equals("a") && only.attempt() == 1) {
            only.retry(Duration.ZERO);
          } else {
            only.ack();
          }
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, o -> o.batchSize(1).concurrency(1)).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b"));
      fanout.resume();
      settled(fanout);
      assertThat(arrived).containsExactly("a:1", "b:1", "a:2");
    }
  }

  @Test
  void anAttemptThatTakesTooLongIsCountedAndSettlesNothingAnyMore() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Throwable> late = new AtomicReference<>();
    FanoutHandler<String> handler =
        batch -> {
          FanoutDelivery<String> only = batch.deliveries().get(0);
          if (only.attempt() > 1) {
            only.ack();
            return;
          }
          while (goOn.getCount() > 0) {
            try {
              goOn.await();
            } catch (InterruptedException e) {
              arrived.add("interrupted");
            }
          }
          try {
            only.ack();
          } catch (FanoutSettlementException e) {
            late.set(e);
          }
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, o -> o.attemptTimeout(Duration.ofMillis(25)));
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      happens(Kind.STARTED, 1);
      eventually().until(() -> fanout.load().outbound().inFlight() == 1);
      eventually()
          .until(
              () -> {
                if (of(Kind.TIMED_OUT).isEmpty() && arrived.isEmpty()) {
                  time.advance(Duration.ofMillis(25));
                }
                return !of(Kind.TIMED_OUT).isEmpty();
              });
      LoadSnapshot after = fanout.load();
      assertThat(after.outbound().inFlight()).isZero();
      assertThat(after.outbound().completed()).isEqualTo(1);
      assertThat(after.outbound().averageMillis().orElseThrow()).isGreaterThanOrEqualTo(25);
      assertThat(after.pendingDeliveries()).isEqualTo(1);

      goOn.countDown();
      happens(Kind.LATE, 1);
      assertThat(late.get()).hasMessageContaining("took too long");
      advanceUntilSettled(fanout);
      assertThat(arrived).contains("interrupted");
    }
  }

  @Test
  void whatWasAcknowledgedBeforeTheCallbackThrewStaysSo() {
    FanoutHandler<String> handler =
        batch -> {
          for (FanoutDelivery<String> each : batch) {
            arrived.add(each.messageId() + ":" + each.attempt());
          }
          batch.deliveries().get(0).ack();
          if (batch.deliveries().size() > 1) {
            throw new IllegalStateException("half way");
          }
        };
    FanoutBuilder<String> options = builder().deliver("consumer", handler).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b"));
      fanout.resume();
      advanceUntilSettled(fanout);
      assertThat(arrived).containsExactly("a:1", "b:1", "b:2");
      happens(Kind.FAILED, 1);
      assertThat(of(Kind.FAILED)).extracting(FanoutEvent::messageId).containsExactly("b");
    }
  }

  @Test
  void anAcknowledgementThatBeganBeforeTheCallbackThrewWins() throws Exception {
    CountDownLatch bound = new CountDownLatch(1);
    CountDownLatch thrown = new CountDownLatch(1);
    List<Thread> threads = new CopyOnWriteArrayList<>();
    FanoutHandler<String> handler =
        batch -> {
          FanoutDelivery<String> first = batch.deliveries().get(0);
          if (first.attempt() > 1) {
            arrived.add(first.messageId() + ":" + first.attempt());
            first.ack();
            return;
          }
          // Binds at once, and does not get on before the callback has thrown.
          Thread other =
              new Thread(
                  () -> {
                    try (Connection blocking = blocked()) {
                      bound.countDown();
                      thrown.await();
                      blocking.rollback();
                    } catch (SQLException | InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
          threads.add(other);
          other.start();
          bound.await();
          Thread acking = new Thread(first::ack);
          threads.add(acking);
          acking.start();
          eventually().until(first::isBound);
          throw new IllegalStateException("half way");
        };
    FanoutBuilder<String> options = builder().deliver("consumer", handler).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b"));
      fanout.resume();
      eventually().until(() -> threads.size() == 2);
      thrown.countDown();
      for (Thread each : threads) {
        each.join();
      }
      advanceUntilSettled(fanout);
      assertThat(arrived).containsExactly("b:2");
      happens(Kind.DELIVERED, 2);
      assertThat(of(Kind.DELIVERED))
          .extracting(FanoutEvent::messageId)
          .containsExactlyInAnyOrder("a", "b");
    }
  }

  /** A transaction that holds up whoever writes to the rows, or on SQLite to anything. */
  private Connection blocked() throws SQLException {
    Connection connection = database.connect();
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE waymark_fanout_delivery SET attempts = attempts");
    }
    return connection;
  }

  @Test
  void whatReturnsIsAcknowledgedWhereThatWasAskedForAndAWordOfItsOwnCounts() {
    FanoutHandler<String> handler =
        batch -> {
          for (FanoutDelivery<String> each : batch) {
            arrived.add(each.messageId() + ":" + each.attempt());
            if (each.messageId().equals("a") && each.attempt() == 1) {
              each.retry(Duration.ofSeconds(1));
            }
          }
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, TargetOptions::ackOnReturn).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b", "c"));
      fanout.resume();
      advanceUntilSettled(fanout);
      assertThat(arrived).containsExactly("a:1", "b:1", "c:1", "a:2");
    }
  }

  @Test
  void aCallbackThatThrowsAcknowledgesNothing() {
    AtomicInteger calls = new AtomicInteger();
    FanoutHandler<String> handler =
        batch -> {
          batch.forEach(each -> arrived.add(each.messageId() + ":" + each.attempt()));
          if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("no");
          }
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, TargetOptions::ackOnReturn).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b"));
      fanout.resume();
      happens(Kind.FAILED, 2);
      assertThat(fanout.pendingDeliveries()).isEqualTo(2);
      advanceUntilSettled(fanout);
      assertThat(arrived).contains("a:1", "b:1", "a:2", "b:2").hasSize(4);
    }
  }

  @Test
  void whatReturnsUnsettledIsTriedAgain() {
    FanoutHandler<String> forgetful =
        batch -> {
          FanoutDelivery<String> only = batch.deliveries().get(0);
          if (only.attempt() == 3) {
            only.ack();
          }
        };
    try (Fanout<String> fanout = open(builder().deliver("consumer", forgetful))) {
      fanout.accept(message("a"));
      advanceUntilSettled(fanout);
      happens(Kind.FAILED, 2);
      assertThat(of(Kind.FAILED).get(0).error().orElseThrow()).contains("without settling");
    }
  }

  // ---- storage ---------------------------------------------------------------------------------

  @Test
  void aFailedWriteIsRepeatedUnderTheSameId() {
    List<String> seen = new CopyOnWriteArrayList<>();
    MessageStorage<String> storage =
        message -> {
          seen.add(message.id() + " " + message.attempts());
          if (message.attempts() == 1) {
            throw new IllegalStateException("disk full");
          }
          stored.add(message);
        };
    try (Fanout<String> fanout = open(builder().storage("archive", storage))) {
      fanout.accept(message("a"));
      advanceUntilSettled(fanout);
      assertThat(stored).hasSize(1);
      StoredMessage<String> message = stored.get(0);
      assertThat(seen).containsExactly(message.id() + " 1", message.id() + " 2");
      assertThat(message.body()).isEqualTo("body of a");
      assertThat(message.messageId()).isEqualTo("a");
      assertThat(message.target()).isEqualTo("archive");
      assertThat(message.failure()).isEmpty();
    }
  }

  @Test
  void aFailingWriteDoesNotCutShortASlowSibling() {
    CountDownLatch failed = new CountDownLatch(1);
    MessageStorage<String> storage =
        message -> {
          if (message.messageId().equals("bad")) {
            if (message.attempts() == 1) {
              failed.countDown();
              throw new IllegalStateException("no");
            }
          } else {
            failed.await(20, TimeUnit.SECONDS);
          }
          stored.add(message);
        };
    try (Fanout<String> fanout = open(builder().storage("archive", storage))) {
      fanout.accept(messages("slow", "bad"));
      eventually().until(() -> stored.size() == 1);
      assertThat(stored.get(0).messageId()).isEqualTo("slow");
      assertThat(stored.get(0).attempts()).isEqualTo(1);
      advanceUntilSettled(fanout);
      assertThat(stored).hasSize(2);
    }
  }

  // ---- dead letters ----------------------------------------------------------------------------

  @Test
  void aDeadLetterOutlivesAnOutageOfItsDestinationAndARestart() {
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean outage = new AtomicBoolean(true);
    AtomicInteger writes = new AtomicInteger();
    FanoutHandler<String> poison =
        batch -> {
          calls.incrementAndGet();
          batch.forEach(FanoutDelivery::deadLetter);
        };
    MessageStorage<String> letters =
        message -> {
          writes.incrementAndGet();
          if (outage.get()) {
            throw new IllegalStateException("the destination is down");
          }
          dead.add(message);
        };
    try (Fanout<String> fanout = open(builder().deliver("consumer", poison).deadLetters(letters))) {
      fanout.accept(message("a"));
      happens(Kind.DEAD_LETTER_FAILED, 1);
      time.advance(Duration.ofSeconds(59));
      assertThat(writes).hasValue(1);
      eventually()
          .until(
              () -> {
                time.advance(Duration.ofMillis(100));
                return of(Kind.DEAD_LETTER_FAILED).size() == 2;
              });
      assertThat(fanout.pendingDeliveries()).isEqualTo(1);
      assertThat(fanout.pending("consumer", 0, 1).get(0).deadLetter())
          .contains(StoredMessage.Reason.EXPLICIT);
    }
    restart();
    outage.set(false);
    try (Fanout<String> fanout = open(builder().deliver("consumer", poison).deadLetters(letters))) {
      advanceUntilSettled(fanout);
      assertThat(calls).hasValue(1);
      assertThat(dead).hasSize(1);
      StoredMessage<String> letter = dead.get(0);
      assertThat(letter.attempts()).isEqualTo(1);
      assertThat(letter.failure().orElseThrow().reason()).isEqualTo(StoredMessage.Reason.EXPLICIT);
      assertThat(letter.failure().orElseThrow().error()).isEmpty();
      happens(Kind.DEAD_LETTER_STORED, 1);
    }
  }

  @Test
  void withoutADestinationDeadLettersAreRemovedWithAnEvent() throws SQLException {
    FanoutHandler<String> handler =
        batch -> {
          for (FanoutDelivery<String> each : batch) {
            if (each.messageId().equals("poison")) {
              each.deadLetter("no such mailbox");
            } else {
              each.retry();
            }
          }
        };
    FanoutBuilder<String> options = builder().deliver("consumer", handler, o -> o.attempts(2));
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("poison", "hopeless"));
      advanceUntilSettled(fanout);
      happens(Kind.DEAD_LETTERED, 1);
      assertThat(of(Kind.DEAD_LETTERED).get(0).error()).contains("no such mailbox");
      happens(Kind.EXHAUSTED, 1);
      assertThat(of(Kind.EXHAUSTED).get(0).messageId()).isEqualTo("hopeless");
      assertThat(of(Kind.EXHAUSTED).get(0).attempt()).isEqualTo(2);
      assertNothingWritten(fanout);
    }
  }

  @Test
  void aDeadLetterIsSentAgainToItsTargetOnlyWithAttemptsFromOne() {
    AtomicBoolean broken = new AtomicBoolean(true);
    FanoutHandler<String> handler =
        batch -> {
          for (FanoutDelivery<String> each : batch) {
            arrived.add(each.messageId() + ":" + each.attempt());
            if (broken.get()) {
              each.retry(Duration.ZERO);
            } else {
              each.ack();
            }
          }
        };
    FanoutBuilder<String> options =
        builder()
            .deliver("consumer", handler, o -> o.attempts(2))
            .storage("archive", stored::add)
            .deadLetters(dead::add);
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      settled(fanout);
      assertThat(arrived).containsExactly("a:1", "a:2");
      broken.set(false);
      StoredMessage<String> letter = dead.get(0);

      assertThat(fanout.redrive(letter).isAccepted()).isTrue();
      settled(fanout);
      assertThat(arrived).containsExactly("a:1", "a:2", "a:1");
      assertThat(stored).hasSize(1);
    }
  }

  @Test
  void aDeadLetterThatIsSentAgainTwiceIsDeliveredOnce() {
    FanoutBuilder<String> options =
        builder()
            .deliver("consumer", batch -> batch.forEach(FanoutDelivery::deadLetter))
            .deadLetters(dead::add);
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      settled(fanout);
      fanout.pause();
      fanout.redrive(dead.get(0));
      fanout.redrive(dead.get(0));
      assertThat(fanout.pendingDeliveries()).isEqualTo(1);
    }
  }

  @Test
  void aProcessThatDiedInTheLastAttemptWasTheLastAttempt() {
    FanoutBuilder<String> options =
        builder().deliver("consumer", this::consume, o -> o.attempts(1)).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      FanoutTable died = new FanoutTable(store, new FanoutSql(store), "died");
      long target = died.targets(died.fanout("mail"), Set.of()).values().iterator().next();
      assertThat(died.claim(target, 10, 1, Duration.ofSeconds(40))).isPresent();
    }
    restart();
    FanoutBuilder<String> again =
        builder().deliver("consumer", this::consume, o -> o.attempts(1)).deadLetters(dead::add);
    try (Fanout<String> fanout = open(again)) {
      advanceUntilSettled(fanout);
      assertThat(arrived).isEmpty();
      assertThat(dead).hasSize(1);
      assertThat(dead.get(0).attempts()).isEqualTo(1);
    }
  }

  // ---- batches ---------------------------------------------------------------------------------

  @Test
  void messagesThatComeCloseTogetherShareABatchIfThatWasAskedFor() {
    List<List<String>> batches = new CopyOnWriteArrayList<>();
    FanoutHandler<String> handler =
        batch -> {
          batches.add(batch.deliveries().stream().map(FanoutDelivery::messageId).toList());
          batch.forEach(FanoutDelivery::ack);
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, o -> o.batchDelay(Duration.ofMillis(100)));
    try (Fanout<String> fanout = open(options)) {
      time.advance(Duration.ofMillis(1));
      fanout.accept(message("a"));
      time.advance(Duration.ofMillis(40));
      fanout.accept(message("b"));
      time.advance(Duration.ofMillis(58));
      assertThat(fanout.pending("consumer", 0, 10))
          .extracting(DeliveryStatus::due)
          .containsOnly(Duration.ofMillis(1));
      assertThat(batches).isEmpty();
      settled(fanout);
      assertThat(batches).containsExactly(List.of("a", "b"));

      fanout.pause();
      time.advance(Duration.ofMillis(100 - time.micros() / 1_000 % 100));
      fanout.accept(message("on the dot"));
      assertThat(fanout.pending("consumer", 0, 1).get(0).due()).isEqualTo(Duration.ZERO);
    }
  }

  @Test
  void optionsThatCannotBeUsedAreRefused() {
    FanoutBuilder<String> options = builder();
    for (Consumer<TargetOptions> wrong :
        List.<Consumer<TargetOptions>>of(
            o -> o.batchDelay(Duration.ofMillis(-1)),
            o -> o.batchDelay(Duration.ofNanos(1)),
            o -> o.batchSize(0),
            o -> o.batchSize(1_001),
            o -> o.concurrency(0),
            o -> o.attempts(0),
            o -> o.attemptTimeout(Duration.ZERO))) {
      assertThatThrownBy(() -> options.deliver("consumer", this::consume, wrong))
          .isInstanceOf(OptionException.class);
    }
    assertThatThrownBy(() -> options.deliver("a/b", this::consume))
        .isInstanceOf(OptionException.class);
    assertThatThrownBy(() -> options.storage(" ", stored::add)).isInstanceOf(OptionException.class);
    assertThatThrownBy(options::build)
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("needs a target");
    options.deliver("consumer", this::consume);
    assertThatThrownBy(() -> options.storage("consumer", stored::add))
        .isInstanceOf(OptionException.class);
  }

  @Test
  void severalBatchesAreUnderWayAtOnceAndNeverMoreThanAllowed() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch three = new CountDownLatch(3);
    FanoutHandler<String> handler =
        batch -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          three.countDown();
          three.await(20, TimeUnit.SECONDS);
          consume(batch);
          running.decrementAndGet();
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, o -> o.batchSize(5).concurrency(3));
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(IntStream.range(0, 60).mapToObj(i -> message("m" + i)).toList());
      settled(fanout);
      assertThat(most).hasValue(3);
      assertThat(arrived).hasSize(60).doesNotHaveDuplicates();
    }
  }

  @Test
  void whatCannotBeDecodedHoldsUpNobody() {
    FanoutBuilder<String> options =
        Fanout.builder(store, "mail", PickyCodec.INSTANCE)
            .deliver("consumer", this::consume, o -> o.concurrency(1).attempts(2))
            .deadLetters(dead::add)
            .onEvent(events::add)
            .paused();
    try (Fanout<String> fanout = open(options)) {
      List<FanoutMessage<String>> batch = new ArrayList<>();
      batch.add(FanoutMessage.of("bad", "?"));
      IntStream.range(0, 30).forEach(i -> batch.add(message("m" + i)));
      fanout.accept(batch);
      fanout.resume();
      eventually().until(() -> arrived.size() == 30);
      advanceUntilSettled(fanout);
      happens(Kind.UNDECODABLE, 1);
      happens(Kind.EXHAUSTED, 1);
      assertThat(of(Kind.EXHAUSTED)).extracting(FanoutEvent::messageId).containsExactly("bad");
      assertThat(dead).extracting(StoredMessage::text).containsExactly("?");
      assertThatThrownBy(dead.get(0)::body).hasMessage("no letter");
    }
  }

  @Test
  void aMessageThatSpoilsItsBatchIsTriedApartFromTheOthers() {
    FanoutHandler<String> fragile =
        batch -> {
          for (FanoutDelivery<String> each : batch) {
            if (each.messageId().equals("poison")) {
              throw new IllegalStateException("spoilt");
            }
          }
          consume(batch);
        };
    Backoff spread = new Backoff(Duration.ofSeconds(100), Duration.ofSeconds(100));
    FanoutBuilder<String> options =
        builder().deliver("consumer", fragile, o -> o.attempts(8).backoff(spread)).paused();
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b", "poison", "c", "d"));
      fanout.resume();
      eventually()
          .until(
              () -> {
                time.advance(Duration.ofMillis(500));
                return fanout.pendingDeliveries() == 0;
              });
      assertThat(arrived).hasSize(4);
      happens(Kind.EXHAUSTED, 1);
      assertThat(of(Kind.EXHAUSTED)).extracting(FanoutEvent::messageId).containsExactly("poison");
    }
  }

  // ---- life and death --------------------------------------------------------------------------

  @Test
  void aConsumerThatIsTriedAgainAndAnArchiveAreCountedAsThreeAttempts() {
    FanoutHandler<String> once =
        batch -> {
          FanoutDelivery<String> only = batch.deliveries().get(0);
          arrived.add("attempt " + only.attempt());
          if (only.attempt() == 1) {
            only.retry(Duration.ZERO);
          } else {
            only.ack();
          }
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", once).storage("archive", stored::add);
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      settled(fanout);
      eventually().until(() -> fanout.load().outbound().completed() == 3);
      assertThat(stored).hasSize(1);
      assertThat(arrived).containsExactly("attempt 1", "attempt 2");
    }
  }

  @Test
  void afterARestartTheLoadIsNewAndTheWorkIsThere() {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      fanout.accept(messages("a", "b"));
    }
    restart();
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      assertThat(fanout.load().inbound().completed()).isZero();
      assertThat(fanout.load().pendingDeliveries()).isEqualTo(2);
      fanout.resume();
      settled(fanout);
      assertThat(arrived).containsExactlyInAnyOrder("a:1", "b:1");
    }
  }

  @Test
  void whatAProcessWasDeliveringWhenItDiedIsDeliveredByTheNext() {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      fanout.accept(messages("a", "b"));
      FanoutTable died = new FanoutTable(store, new FanoutSql(store), "died");
      long target = died.targets(died.fanout("mail"), Set.of()).values().iterator().next();
      assertThat(died.claim(target, 1, 1, Duration.ofSeconds(40))).isPresent();
    }
    restart();
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume))) {
      advanceUntilSettled(fanout);
      assertThat(arrived).containsExactlyInAnyOrder("a:2", "b:1");
    }
  }

  @Test
  void whatAClockThatWasSetBackWouldDelayIsDueAfterARestart() throws SQLException {
    FanoutHandler<String> patient = batch -> batch.forEach(each -> each.retry(Duration.ofHours(1)));
    try (Fanout<String> fanout = open(builder().deliver("consumer", patient))) {
      fanout.accept(message("a"));
      happens(Kind.RETRIED, 1);
    }
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE waymark_fanout_message SET accepted_at = accepted_at + 7200000000");
      statement.executeUpdate("UPDATE waymark_fanout_delivery SET due_at = due_at + 7200000000");
      connection.commit();
    }
    restart();
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume))) {
      settled(fanout);
      assertThat(arrived).containsExactly("a:2");
    }
  }

  @Test
  void closeInterruptsWhatDoesNotEndAndLeavesItPendingAsIfItHadNotBegun() {
    CountDownLatch begun = new CountDownLatch(1);
    FanoutHandler<String> slow =
        batch -> {
          begun.countDown();
          new CountDownLatch(1).await();
        };
    FanoutBuilder<String> options =
        builder().deliver("consumer", slow, o -> o.attempts(1)).deadLetters(dead::add);
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(message("a"));
      eventually().until(() -> begun.getCount() == 0);
    }
    assertThat(dead).isEmpty();
    FanoutBuilder<String> again = builder().deliver("consumer", this::consume);
    load = newLoad();
    try (Fanout<String> fanout = open(again.load(load))) {
      settled(fanout);
      assertThat(arrived).containsExactly("a:1");
    }
  }

  @Test
  void oneNameIsOpenOnceAndOthersAreApart() {
    try (Fanout<String> fanout = open(builder().deliver("consumer", this::consume).paused())) {
      RoutingLoad another = newLoad();
      assertThatThrownBy(() -> builder().load(another).deliver("consumer", this::consume).build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already attached");
      try (Fanout<String> other =
          Fanout.builder(store, "other", Codec.text()).deliver("consumer", this::consume).build()) {
        other.accept(message("a"));
        fanout.accept(message("a"));
        settled(other);
        assertThat(arrived).containsExactly("a:1");
        assertThat(fanout.pendingDeliveries()).isEqualTo(1);
      }
      Inbox inbox = new Inbox();
      Channel<String> letters = Channel.of("letters", Codec.text());
      try (Outbox outbox = Outbox.builder(store).deliver(letters, inbox).build()) {
        store.inTransaction(tx -> outbox.stage(tx, letters.item("ada", "hello")));
        eventually().until(() -> inbox.arrivals().size() == 1);
      }
    }
  }

  @Test
  void aClosedFanoutSaysSo() {
    Fanout<String> fanout = open(builder().deliver("consumer", this::consume));
    fanout.close();
    fanout.close();
    assertThatThrownBy(() -> fanout.accept(message("a")))
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2005");
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    FanoutBuilder<String> options =
        builder()
            .deliver("consumer", this::consume, o -> o.concurrency(1))
            .onEvent(
                event -> {
                  throw new IllegalStateException("a listener's own trouble");
                });
    try (Fanout<String> fanout = open(options)) {
      fanout.accept(messages("a", "b"));
      settled(fanout);
      assertThat(arrived).hasSize(2);
    }
  }

  /** Acknowledges, retries, gives up, throws or forgets, as it comes; notes what has ended. */
  private static FanoutHandler<String> moody(Random random, Set<String> ended) {
    return batch -> {
      for (FanoutDelivery<String> each : batch) {
        switch (random.nextInt(6)) {
          case 0 -> each.retry(Duration.ofSeconds(random.nextInt(20)));
          case 1 -> each.deadLetter();
          case 2 -> throw new IllegalStateException("a bad day");
          case 3 -> {} // forgets it
          default -> {
            ended.add(batch.target() + " " + each.messageId());
            each.ack();
          }
        }
      }
    };
  }

  private static MessageStorage<String> flaky(Random random, Set<String> ended) {
    return message -> {
      if (random.nextBoolean()) {
        throw new IllegalStateException("disk full");
      }
      ended.add(message.target() + " " + message.messageId());
    };
  }

  @Test
  void whateverTargetsDoEachDeliveryEndsThereOrAmongTheDeadLetters() throws SQLException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Set<String> ended = ConcurrentHashMap.newKeySet();
    Set<String> accepted = new TreeSet<>();
    List<String> names = new ArrayList<>(List.of("one", "two", "archive"));
    FanoutBuilder<String> options =
        builder()
            .deliver("one", moody(random, ended), o -> o.batchSize(3).concurrency(2))
            .deliver("two", moody(random, ended))
            .storage("archive", flaky(random, ended), o -> o.concurrency(2))
            .deadLetters(flaky(random, ended));
    try (Fanout<String> fanout = open(options)) {
      for (int i = 0; i < 60; i++) {
        List<FanoutMessage<String>> batch = new ArrayList<>();
        for (int k = random.nextInt(5); k >= 0; k--) {
          batch.add(message("m" + random.nextInt(80)));
        }
        Collections.shuffle(names, random);
        List<String> recipients = List.copyOf(names.subList(0, 1 + random.nextInt(3)));
        if (fanout.accept(batch, recipients).isAccepted()) {
          batch.forEach(each -> recipients.forEach(to -> accepted.add(to + " " + each.id())));
        }
        time.advance(Duration.ofSeconds(random.nextInt(10)));
      }
      advanceUntilSettled(fanout);
      assertNothingWritten(fanout);
    }
    assertThat(ended).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(accepted);
  }

  @Test
  void bodiesArriveAsTheyWereSent() {
    List<String> bodies = List.of("", "ä€😀", "'quoted' \"twice\" \\ {1,2}", "two\nlines", "NULL");
    List<String> got = new CopyOnWriteArrayList<>();
    FanoutHandler<String> handler =
        batch -> batch.forEach(each -> got.add(each.messageId() + each.body()));
    FanoutBuilder<String> options =
        builder().deliver("consumer", handler, TargetOptions::ackOnReturn);
    try (Fanout<String> fanout = open(options)) {
      List<FanoutMessage<String>> batch = new ArrayList<>();
      for (String body : bodies) {
        batch.add(FanoutMessage.of("é\"{" + batch.size(), body));
      }
      fanout.accept(batch);
      settled(fanout);
      for (int i = 0; i < bodies.size(); i++) {
        assertThat(got).contains("é\"{" + i + bodies.get(i));
      }
    }
  }
}
