package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Meters;
import io.waymark.durable.OutboxEvent.Kind;
import io.waymark.durable.Settlement.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an outbox does, whatever database its store is on. */
abstract class OutboxContract {
  static final Channel<String> LETTERS = Channel.of("letters", Codec.text());
  private static final Duration LONG = Duration.ofSeconds(20);

  final TestDatabase database = newDatabase();
  final TestTime time = new TestTime();
  DurableStore store = database.store(time).open();
  final Inbox inbox = new Inbox();
  final List<OutboxEvent> events = new CopyOnWriteArrayList<>();

  abstract TestDatabase newDatabase();

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  // ---- levers ----------------------------------------------------------------------------------

  OutboxBuilder builder() {
    return Outbox.builder(store).onEvent(events::add).grace(Duration.ofMillis(200));
  }

  Outbox open(OutboxBuilder builder) {
    Outbox outbox = builder.build();
    time.watchedBy(outbox);
    return outbox;
  }

  /** Stages in a transaction of a connection of the test's own. */
  StagedVersions stage(Outbox outbox, Item... items) throws SQLException {
    try (Connection connection = database.connect()) {
      StagedVersions staged = outbox.stageTracked(connection, items);
      connection.commit();
      return staged;
    }
  }

  static ConditionFactory eventually() {
    return await().atMost(LONG).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
  }

  /** Time goes on a little: who finds a row locked for a moment looks again after a while. */
  void settled(Outbox outbox) {
    eventually()
        .until(
            () -> {
              time.advance(Duration.ofMillis(1));
              return outbox.backlog().isEmpty();
            });
  }

  void happens(Kind kind, int times) {
    eventually().untilAsserted(() -> assertThat(of(kind)).hasSize(times));
  }

  List<OutboxEvent> of(Kind kind) {
    return events.stream().filter(event -> event.kind() == kind).toList();
  }

  /** Lets time pass until all that waits has been tried, some seconds at a time. */
  void advanceUntilSettled(Outbox outbox) {
    eventually()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(5));
              return outbox.backlog().isEmpty();
            });
  }

  // ---- staging ---------------------------------------------------------------------------------

  @Test
  void whatIsStagedIsDeliveredAfterTheCommit() throws SQLException {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      StagedVersions staged = stage(outbox, LETTERS.item("ada", "hello"));
      staged.wake();
      settled(outbox);

      assertThat(inbox.of("ada")).containsExactly("hello");
      assertThat(outbox.find(LETTERS, "ada").orElseThrow().deliveredVersion())
          .isEqualTo(staged.version(LETTERS, "ada"))
          .isPositive();
    }
  }

  @Test
  void aTransactionOfTheStoreWakesByItself() throws InterruptedException {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      StagedVersions staged =
          store.inTransaction(
              tx -> outbox.stageTracked(tx, LETTERS.item("bob", "2"), LETTERS.item("ada", "1")));

      for (StagedVersions.Entry entry : staged.entries()) {
        assertThat(outbox.awaitSettled(LETTERS, entry.key(), entry.version(), LONG).state())
            .isEqualTo(State.DELIVERED);
      }
      assertThat(inbox.of("ada")).containsExactly("1");
      assertThat(inbox.of("bob")).containsExactly("2");
    }
  }

  @Test
  void whatIsRolledBackIsNeverDelivered() throws SQLException {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      try (Connection connection = database.connect()) {
        StagedVersions staged = outbox.stageTracked(connection, LETTERS.item("ada", "never"));
        connection.rollback();
        staged.wake();
      }
      stage(outbox, LETTERS.item("bob", "after")).wake();
      settled(outbox);

      assertThat(inbox.of("bob")).containsExactly("after");
      assertThat(inbox.of("ada")).isEmpty();
      assertThat(outbox.find(LETTERS, "ada")).isEmpty();
    }
  }

  @Test
  void onlyTheNewestValueOfAKeyIsPendingAndVersionsRise() throws SQLException {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox).paused())) {
      long last = 0;
      for (String value : List.of("1", "2", "3")) {
        long version = stage(outbox, LETTERS.item("ada", value)).version(LETTERS, "ada");
        assertThat(version).isGreaterThan(last);
        last = version;
      }
      outbox.resume();
      settled(outbox);

      assertThat(inbox.of("ada")).containsExactly("3");
      assertThat(inbox.arrivals().get(0).version()).isEqualTo(last);
    }
  }

  @Test
  void aKeyThatIsStagedAgainWhileItIsDueKeepsItsPlace() throws SQLException {
    OutboxBuilder options = builder().deliver(LETTERS, inbox, o -> o.concurrency(1)).paused();
    try (Outbox outbox = open(options)) {
      for (String key : List.of("often-staged", "once-staged", "often-staged")) {
        stage(outbox, LETTERS.item(key, "at " + time.micros()));
        time.advance(Duration.ofSeconds(1));
      }
      outbox.resume();
      settled(outbox);

      assertThat(inbox.arrivals())
          .extracting(Inbox.Arrival::key)
          .containsExactly("often-staged", "once-staged");
    }
  }

  @Test
  void whatIsStagedWithoutAskingForVersionsIsTheSame() throws SQLException {
    List<Item> items = new ArrayList<>(List.of(LETTERS.cancellation("a"), LETTERS.item("b", "2")));
    IntStream.range(0, 300).forEach(i -> items.add(LETTERS.item("key-" + i, "v" + i)));
    items.add(LETTERS.cancellation("nobody"));
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox).paused())) {
      long before =
          stage(outbox, LETTERS.item("a", "1"), LETTERS.item("b", "1")).version(LETTERS, "b");
      try (Connection connection = database.connect()) {
        Staged staged = outbox.stage(connection, items);
        connection.commit();
        staged.wake();
      }

      assertThat(outbox.find(LETTERS, "a").orElseThrow().pending()).isFalse();
      assertThat(outbox.find(LETTERS, "b").orElseThrow().version()).isGreaterThan(before);
      outbox.resume();
      settled(outbox);
      assertThat(inbox.arrivals())
          .hasSize(301)
          .extracting(Inbox.Arrival::key)
          .doesNotHaveDuplicates();
      assertThat(inbox.of("a")).isEmpty();
      assertThat(inbox.of("b")).containsExactly("2");
      assertThat(inbox.of("key-299")).containsExactly("v299");
    }
  }

  @Test
  void manyKeysAreStagedAtOnceAndEachGetsItsOwnVersion() throws SQLException {
    List<Item> items =
        new ArrayList<>(
            IntStream.range(0, 300).mapToObj(i -> LETTERS.item("key-" + i, "v" + i)).toList());
    items.add(LETTERS.cancellation("nobody"));
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox).paused())) {
      StagedVersions staged = stage(outbox, items.toArray(Item[]::new));

      for (int i = 0; i < 300; i++) {
        assertThat(outbox.find(LETTERS, "key-" + i).orElseThrow().version())
            .isEqualTo(staged.version(LETTERS, "key-" + i));
      }
      assertThat(staged.version(LETTERS, "nobody")).isZero();
      assertThat(staged.entries().stream().map(StagedVersions.Entry::version).distinct())
          .hasSize(301);
      outbox.resume();
      settled(outbox);
      assertThat(inbox.arrivals())
          .hasSize(300)
          .allMatch(each -> each.value().equals(each.key().replace("key-", "v")));
    }
  }

  @Test
  void versionsRiseAlsoWhenTheKeyWasForgotten() throws SQLException {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      long first = stage(outbox, LETTERS.item("ada", "1")).version(LETTERS, "ada");
      time.advance(Duration.ofSeconds(5));
      settled(outbox);
      eventually()
          .until(
              () -> {
                time.advance(Duration.ofMinutes(30));
                return outbox.find(LETTERS, "ada").isEmpty();
              });

      long second = stage(outbox, LETTERS.item("ada", "2")).version(LETTERS, "ada");

      assertThat(second).isGreaterThan(first);
    }
  }

  @Test
  void aKeyThatIsStagedTwiceAtOnceIsRefused() throws SQLException {
    try (Outbox outbox = open(builder());
        Connection connection = database.connect()) {
      assertThatThrownBy(
              () ->
                  outbox.stageTracked(
                      connection, LETTERS.item("ada", "1"), LETTERS.item("ada", "2")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("letters/ada");
    }
  }

  @Test
  void stagingOutsideOfATransactionIsRefused() throws SQLException {
    try (Outbox outbox = open(builder());
        Connection connection = database.connect()) {
      connection.setAutoCommit(true);

      assertThatThrownBy(() -> outbox.stageTracked(connection, LETTERS.item("ada", "1")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void aTransactionOfAnotherStoreIsRefused() {
    try (TestDatabase elsewhere = newDatabase();
        DurableStore other = elsewhere.store().open();
        Outbox outbox = open(builder())) {
      assertThatThrownBy(
              () -> other.inTransaction(tx -> outbox.stageTracked(tx, LETTERS.item("ada", "1"))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  // ---- a value in flight -----------------------------------------------------------------------

  @Test
  void whatIsStagedDuringDeliveryIsDeliveredNext() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DeliveryHandler<String> slowFirst =
        delivery -> {
          if (delivery.value().equals("1")) {
            begun.countDown();
            goOn.await();
          }
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, slowFirst))) {
      StagedVersions one = stage(outbox, LETTERS.item("ada", "1"));
      long first = one.version(LETTERS, "ada");
      one.wake();
      begun.await();
      StagedVersions second = stage(outbox, LETTERS.item("ada", "2"));
      second.wake();
      goOn.countDown();

      assertThat(outbox.awaitSettled(LETTERS, "ada", first, LONG).isDelivered()).isTrue();
      assertThat(outbox.awaitSettled(LETTERS, "ada", second.version(LETTERS, "ada"), LONG).state())
          .isEqualTo(State.DELIVERED);
      assertThat(inbox.of("ada")).containsExactly("1", "2");
      assertThat(outbox.backlog()).isEmpty();
    }
  }

  @Test
  void aKeyIsNeverDeliveredTwiceAtATimeAndOthersAreInParallel() throws SQLException {
    Map<String, AtomicInteger> active = new ConcurrentHashMap<>();
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<String> overlaps = new CopyOnWriteArrayList<>();
    CountDownLatch two = new CountDownLatch(2); // the first waits for another beside it
    DeliveryHandler<String> counting =
        delivery -> {
          AtomicInteger ofKey = active.computeIfAbsent(delivery.key(), key -> new AtomicInteger());
          if (ofKey.incrementAndGet() > 1) {
            overlaps.add(delivery.key());
          }
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          two.countDown();
          two.await(LONG.toSeconds(), TimeUnit.SECONDS);
          now.decrementAndGet();
          ofKey.decrementAndGet();
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, counting, o -> o.concurrency(4)))) {
      for (int round = 0; round < 30; round++) {
        for (int key = 0; key < 6; key++) {
          stage(outbox, LETTERS.item("key-" + key, "" + round)).wake();
        }
      }
      settled(outbox);

      assertThat(overlaps).isEmpty();
      assertThat(most.get()).isBetween(2, 4);
      for (int key = 0; key < 6; key++) {
        assertThat(inbox.of("key-" + key)).last().isEqualTo("29");
      }
    }
  }

  @Test
  void concurrencyOneDeliversStrictlyOneByOne() throws SQLException {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    DeliveryHandler<String> counting =
        delivery -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          TimeUnit.MILLISECONDS.sleep(1);
          now.decrementAndGet();
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, counting, o -> o.concurrency(1)))) {
      for (int key = 0; key < 20; key++) {
        stage(outbox, LETTERS.item("key-" + key, "v")).wake();
      }
      settled(outbox);

      assertThat(most).hasValue(1);
      assertThat(inbox.arrivals()).hasSize(20);
    }
  }

  @Test
  void moreDueKeysThanSlotsAreAllDeliveredAndNeverMoreAtOnce() throws SQLException {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    DeliveryHandler<String> counting =
        delivery -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          Receipt receipt = inbox.deliver(delivery);
          now.decrementAndGet();
          return receipt;
        };
    OutboxBuilder options = builder().deliver(LETTERS, counting, o -> o.concurrency(2)).paused();
    try (Outbox outbox = open(options)) {
      stage(
          outbox,
          IntStream.range(0, 101)
              .mapToObj(key -> LETTERS.item("key-" + key, "v"))
              .toArray(Item[]::new));
      outbox.resume();
      settled(outbox);

      assertThat(most.get()).isBetween(1, 2);
      assertThat(inbox.arrivals()).hasSize(101);
    }
  }

  @Test
  void aCancelledValueIsNotDelivered() throws Exception {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox).paused())) {
      long version = stage(outbox, LETTERS.item("ada", "1")).version(LETTERS, "ada");
      long cancelled = stage(outbox, LETTERS.cancellation("ada")).version(LETTERS, "ada");
      outbox.resume();
      stage(outbox, LETTERS.item("bob", "2")).wake();
      settled(outbox);

      assertThat(cancelled).isGreaterThan(version);
      assertThat(inbox.of("ada")).isEmpty();
      assertThat(outbox.awaitSettled(LETTERS, "ada", version, Duration.ZERO).state())
          .isEqualTo(State.CANCELLED);
    }
  }

  @Test
  void cancellingDoesNotStopWhatIsUnderWayAndNothingFollows() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DeliveryHandler<String> slow =
        delivery -> {
          begun.countDown();
          goOn.await();
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, slow))) {
      stage(outbox, LETTERS.item("ada", "1")).wake();
      begun.await();
      stage(outbox, LETTERS.cancellation("ada")).wake();
      goOn.countDown();
      happens(Kind.DELIVERED, 1);
      eventually().until(() -> outbox.find(LETTERS, "ada").orElseThrow().claimedBy().isEmpty());

      assertThat(outbox.find(LETTERS, "ada").orElseThrow().due()).isEmpty();
      assertThat(inbox.of("ada")).containsExactly("1");
    }
  }

  // ---- failures --------------------------------------------------------------------------------

  @Test
  void aFailingValueIsTriedAgainWithGrowingWaitsUntilItArrives() throws SQLException {
    AtomicInteger attempts = new AtomicInteger();
    DeliveryHandler<String> stubborn =
        delivery -> {
          if (attempts.incrementAndGet() < 12) {
            throw new IllegalStateException("not yet");
          }
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, stubborn))) {
      stage(outbox, LETTERS.item("ada", "1")).wake();
      happens(Kind.FAILED, 1);
      ItemStatus failed = outbox.find(LETTERS, "ada").orElseThrow();
      advanceUntilSettled(outbox);

      assertThat(failed.lastError()).contains("IllegalStateException: not yet");
      assertThat(inbox.arrivals()).hasSize(1);
      assertThat(inbox.arrivals().get(0).attempt()).isEqualTo(12);
      List<Duration> waits =
          of(Kind.FAILED).stream().map(event -> event.next().orElseThrow()).toList();
      assertThat(waits).hasSize(11);
      for (int i = 0; i < waits.size(); i++) {
        Duration full = Duration.ofSeconds(Math.min(300, 1L << i));
        assertThat(waits.get(i)).as("wait %d", i).isBetween(full.dividedBy(2), full);
      }
    }
  }

  @Test
  void aNewerValueDoesNotWaitForTheBackoffOfTheOldOne() throws SQLException {
    DeliveryHandler<String> choosy =
        delivery -> {
          if (delivery.value().equals("bad")) {
            throw new IllegalStateException("refused");
          }
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, choosy))) {
      stage(outbox, LETTERS.item("ada", "bad")).wake();
      happens(Kind.FAILED, 1);
      stage(outbox, LETTERS.item("ada", "good")).wake();
      settled(outbox);

      assertThat(inbox.of("ada")).containsExactly("good");
      assertThat(inbox.arrivals().get(0).attempt()).isEqualTo(1);
    }
  }

  @Test
  void errorsAndAMissingAnswerAreFailuresToo() throws SQLException {
    @SuppressWarnings("NullAway") // what a handler must not do
    DeliveryHandler<String> broken =
        delivery -> {
          if (delivery.attempt() == 1) {
            throw new StackOverflowError();
          }
          return delivery.attempt() == 2 ? null : inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, broken))) {
      stage(outbox, LETTERS.item("ada", "1")).wake();
      advanceUntilSettled(outbox);

      assertThat(of(Kind.FAILED)).hasSize(2);
      assertThat(inbox.of("ada")).containsExactly("1");
    }
  }

  @Test
  void hangingKeysHoldUpNoOthersForLongerThanTheirLimit() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    DeliveryHandler<String> hanging =
        delivery -> {
          if (delivery.key().startsWith("hung")) {
            awaitDeafly(never);
          }
          return inbox.deliver(delivery);
        };
    OutboxBuilder options =
        builder()
            .deliver(LETTERS, hanging, o -> o.concurrency(2).attemptTimeout(Duration.ofSeconds(1)));
    try (Outbox outbox = open(options)) {
      for (int i = 0; i < 6; i++) {
        stage(outbox, LETTERS.item("hung-" + i, "x"));
      }
      time.advance(Duration.ofSeconds(1)); // these are due before all others
      for (int i = 0; i < 20; i++) {
        stage(outbox, LETTERS.item("well-" + i, "x")).wake();
      }
      eventually()
          .until(
              () -> {
                time.advance(Duration.ofMillis(1_100));
                return inbox.arrivals().stream().filter(a -> a.key().startsWith("well")).count()
                    == 20;
              });

      assertThat(of(Kind.TIMED_OUT)).isNotEmpty();
      // Two slots and four hung threads for each: no more may hang here at a time.
      assertThat(deliveringThreads()).isLessThanOrEqualTo(10);
      never.countDown();
    }
  }

  private static long deliveringThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("waymark-outbox-") && thread.isAlive())
        .filter(thread -> !thread.getName().endsWith("watch"))
        .count();
  }

  /** As some client libraries do: an interrupt does not end the wait. */
  static void awaitDeafly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anAttemptThatTakesTooLongIsInterruptedAndTriedAgain() throws SQLException {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    DeliveryHandler<String> slowOnce =
        delivery -> {
          if (delivery.attempt() == 1) {
            try {
              never.await();
            } catch (InterruptedException e) {
              assertThat(delivery.isAbandoned()).isTrue();
              interrupted.incrementAndGet();
              throw e;
            }
          }
          return inbox.deliver(delivery);
        };
    OutboxBuilder options =
        builder().deliver(LETTERS, slowOnce, o -> o.attemptTimeout(Duration.ofSeconds(2)));
    try (Outbox outbox = open(options)) {
      stage(outbox, LETTERS.item("ada", "1")).wake();
      eventually().until(() -> outbox.find(LETTERS, "ada").orElseThrow().claimedBy().isPresent());
      advanceUntilSettled(outbox);

      assertThat(inbox.arrivals()).hasSize(1);
      assertThat(inbox.arrivals().get(0).attempt()).isEqualTo(2);
      happens(Kind.TIMED_OUT, 1);
      happens(Kind.LATE, 1);
      assertThat(interrupted).hasValue(1);
      assertThat(of(Kind.TIMED_OUT).get(0).error().orElseThrow()).hasMessageContaining("PT2S");
    }
  }

  @Test
  void whatCannotBeDecodedHoldsUpNobodyAndIsReplacedByANewerValue() throws SQLException {
    Channel<String> channel = Channel.of("letters", PickyCodec.INSTANCE);
    try (Outbox outbox = open(builder().deliver(channel, inbox, o -> o.concurrency(1)).paused())) {
      stage(outbox, channel.item("a-bad", "?"));
      for (int i = 0; i < 99; i++) {
        stage(outbox, channel.item("key-" + i, "v"));
      }
      outbox.resume();
      eventually().until(() -> inbox.arrivals().size() == 99);
      assertThat(of(Kind.UNDECODABLE)).isNotEmpty();
      assertThat(outbox.find(channel, "a-bad").orElseThrow().lastError())
          .contains("IllegalArgumentException: no letter");

      stage(outbox, channel.item("a-bad", "better")).wake();
      settled(outbox);
      assertThat(inbox.of("a-bad")).containsExactly("better");
    }
  }

  @Test
  void aHandlerMayAskToBeCalledAgain() throws SQLException {
    DeliveryHandler<String> patient =
        delivery -> {
          inbox.deliver(delivery);
          return inbox.of("ada").size() < 3
              ? Receipt.again(Duration.ofMinutes(6))
              : Receipt.delivered();
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, patient))) {
      stage(outbox, LETTERS.item("ada", "1")).wake();
      happens(Kind.AGAIN, 1);
      assertThat(outbox.find(LETTERS, "ada").orElseThrow().due()).contains(Duration.ofMinutes(6));
      advanceUntilSettled(outbox);

      assertThat(inbox.of("ada")).hasSize(3);
      assertThat(inbox.arrivals()).allMatch(each -> each.attempt() == 1);
      assertThat(of(Kind.FAILED)).isEmpty();
    }
  }

  @Test
  void aListenerThatThrowsChangesNothing() throws SQLException {
    AtomicInteger events = new AtomicInteger();
    OutboxBuilder options =
        Outbox.builder(store)
            .deliver(LETTERS, inbox, o -> o.concurrency(1)) // a slot that is lost would be the last
            .onEvent(
                event -> {
                  if (events.incrementAndGet() % 2 == 0) {
                    throw new IllegalStateException("a listener's own trouble");
                  }
                  throw new AssertionError("a listener's own mistake");
                })
            .meters(
                new Timers() {
                  @Override
                  public Timer timer(String name, Map<String, String> tags) {
                    throw new IllegalStateException("a meter's own trouble");
                  }
                });
    try (Outbox outbox = open(options)) {
      for (String key : List.of("ada", "bob", "cleo")) {
        stage(outbox, LETTERS.item(key, "1")).wake();
        settled(outbox);

        assertThat(inbox.of(key)).containsExactly("1");
      }
    }
  }

  // ---- life and death --------------------------------------------------------------------------

  @Test
  void whatAProcessStagedBeforeItDiedIsDeliveredByTheNext() throws SQLException {
    try (Outbox outbox = open(builder())) {
      stage(outbox, LETTERS.item("ada", "hello"));
    }
    store.close();
    store = database.store(time).open();

    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      settled(outbox);
      assertThat(inbox.of("ada")).containsExactly("hello");
    }
  }

  @Test
  void whatAProcessWasDeliveringWhenItDiedIsDeliveredByTheNext() throws SQLException {
    OutboxTable dead = new OutboxTable(store, new OutboxSql(store), "dead");
    try (Outbox outbox = open(builder())) {
      stage(outbox, LETTERS.item("ada", "hello"));
      assertThat(dead.claim("letters", 1, Duration.ofSeconds(40))).isPresent();
    }
    store.close();
    store = database.store(time).open();

    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      advanceUntilSettled(outbox);
      assertThat(inbox.of("ada")).containsExactly("hello");
    }
  }

  @Test
  void closeInterruptsWhatDoesNotEndAndLeavesItPending() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    DeliveryHandler<String> slow =
        delivery -> {
          begun.countDown();
          never.await();
          return Receipt.delivered();
        };
    Outbox outbox = open(builder().deliver(LETTERS, slow));
    stage(outbox, LETTERS.item("ada", "1")).wake();
    begun.await();

    outbox.close();

    assertThatThrownBy(() -> stage(outbox, LETTERS.item("ada", "2")))
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2005");
    try (Outbox next = open(builder().deliver(LETTERS, inbox))) {
      settled(next);
      assertThat(inbox.of("ada")).containsExactly("1");
    }
  }

  @Test
  void closingTheStoreEndsItsOutboxesAndThreads() throws SQLException {
    Outbox outbox = open(builder().deliver(LETTERS, inbox));
    stage(outbox, LETTERS.item("ada", "1")).wake();
    settled(outbox);

    store.close();

    assertThatThrownBy(outbox::backlog).hasMessageStartingWith("WM2005");
    eventually()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("waymark-store-"))
                    .noneMatch(thread -> thread.getName().equals("waymark-outbox-watch")));
  }

  @Test
  void twoOutboxesMayShareAStoreButNotAChannel() throws SQLException {
    Channel<String> other = Channel.of("other", Codec.text());
    try (Outbox first = open(builder().deliver(LETTERS, inbox));
        Outbox second = open(builder().deliver(other, inbox))) {
      stage(second, other.item("bob", "2"), LETTERS.item("ada", "1")).wake();
      time.watchedBy(first);
      time.advance(Duration.ofSeconds(5));
      settled(first);
      assertThat(inbox.arrivals()).hasSize(2);

      OutboxBuilder third = builder().deliver(LETTERS, inbox);
      assertThatThrownBy(third::build)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("channel letters");
      stage(first, LETTERS.item("cleo", "3")).wake();
      settled(first);
      assertThat(inbox.of("cleo")).containsExactly("3");
    }
  }

  @Test
  void pollingFindsWhatNobodyToldOf() throws SQLException {
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox))) {
      stage(outbox, LETTERS.item("ada", "1")).wake();
      settled(outbox);
      eventually().until(OutboxContract::alarmSleeps);
      stage(outbox, LETTERS.item("bob", "2")); // and nobody is woken
      time.advance(Duration.ofSeconds(5));
      settled(outbox);

      assertThat(inbox.of("bob")).containsExactly("2");
    }
  }

  private static boolean alarmSleeps() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("waymark-store-alarm"))
        .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void whatAClockThatWasSetBackWouldDelayIsMadeDue() throws SQLException {
    OutboxTable table = new OutboxTable(store, new OutboxSql(store), "me");
    try (Outbox outbox = open(builder())) {
      stage(outbox, LETTERS.item("ada", "1"));
    } // nobody else repairs it
    store.withHandle(
        handle ->
            handle.execute(
                "UPDATE waymark_outbox SET staged_at = staged_at + 7200000000,"
                    + " due_at = due_at + 7200000000"));
    assertThat(table.claim("letters", 1, Duration.ofSeconds(40))).isEmpty();

    assertThat(table.repair(Duration.ofSeconds(10))).isEqualTo(1);

    assertThat(table.claim("letters", 2, Duration.ofSeconds(40))).isPresent();
    assertThat(table.repair(Duration.ofSeconds(10))).isZero();
  }

  // ---- what became of it -----------------------------------------------------------------------

  @Test
  void aCallerLearnsWhatBecameOfItsValue() throws Exception {
    DeliveryHandler<String> choosy =
        delivery -> {
          if (delivery.value().equals("bad")) {
            throw new IllegalStateException("refused");
          }
          return inbox.deliver(delivery);
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, choosy).paused())) {
      long bad = stage(outbox, LETTERS.item("ada", "bad")).version(LETTERS, "ada");
      assertThat(outbox.awaitSettled(LETTERS, "ada", bad, Duration.ZERO).state())
          .isEqualTo(State.PENDING);
      assertThat(outbox.awaitSettled(LETTERS, "nobody", 1, Duration.ZERO).state())
          .isEqualTo(State.UNKNOWN);
      assertThat(outbox.awaitSettled(LETTERS, "ada", bad + 1_000, Duration.ZERO).state())
          .isEqualTo(State.UNKNOWN);

      outbox.resume();
      Settlement refused = outbox.awaitSettled(LETTERS, "ada", bad, LONG);
      assertThat(refused.state()).isEqualTo(State.NOT_YET);
      assertThat(refused.error()).contains("IllegalStateException: refused");

      StagedVersions good = stage(outbox, LETTERS.item("ada", "good"));
      good.wake();
      assertThat(outbox.awaitSettled(LETTERS, "ada", bad, LONG).isDelivered()).isTrue();
    }
  }

  @Test
  void operatorsSeeWhatIsPendingPageByPage() throws SQLException {
    Channel<String> other = Channel.of("other", Codec.text());
    try (Outbox outbox = open(builder())) {
      stage(outbox, LETTERS.item("ada", "1"), LETTERS.item("bob", "2"), LETTERS.item("cleo", "3"));
      time.advance(Duration.ofSeconds(90));
      stage(outbox, other.item("ada", "4"));

      List<ItemStatus> first = outbox.pending(LETTERS, "", 2);
      List<ItemStatus> second = outbox.pending(LETTERS, first.get(1).key(), 2);

      assertThat(first).extracting(ItemStatus::key).containsExactly("ada", "bob");
      assertThat(second).extracting(ItemStatus::key).containsExactly("cleo");
      assertThat(first.get(0).age()).isEqualTo(Duration.ofSeconds(90));
      assertThat(outbox.backlog())
          .containsExactly(
              new ChannelBacklog("letters", 3, 0, Duration.ofSeconds(90)),
              new ChannelBacklog("other", 1, 0, Duration.ZERO));
    }
  }

  /** Meters that only time. */
  private abstract static class Timers implements Meters {
    @Override
    public Counter counter(String name, Map<String, String> tags) {
      throw new AssertionError("nothing is counted");
    }
  }

  @Test
  void attemptsAndDeliveriesAreTimed() throws SQLException {
    Map<String, List<Long>> timed = new ConcurrentHashMap<>();
    Meters meters =
        new Timers() {
          @Override
          public Timer timer(String name, Map<String, String> tags) {
            List<Long> times = new CopyOnWriteArrayList<>();
            timed.put(name + " " + new TreeMap<>(tags), times);
            return times::add;
          }
        };
    try (Outbox outbox = open(builder().deliver(LETTERS, inbox).meters(meters).paused())) {
      stage(outbox, LETTERS.item("ada", "1"));
      time.advance(Duration.ofSeconds(3));
      outbox.resume();
      happens(Kind.DELIVERED, 1);

      eventually()
          .untilAsserted(
              () ->
                  assertThat(timed)
                      .containsOnlyKeys(
                          "waymark.outbox.attempt {channel=letters, outcome=delivered}",
                          "waymark.outbox.delivery {channel=letters}"));
      assertThat(timed.get("waymark.outbox.delivery {channel=letters}"))
          .containsExactly(TimeUnit.SECONDS.toNanos(3));
    }
  }

  // ---- values ----------------------------------------------------------------------------------

  /** A value with structure. */
  record Limits(int permits, List<String> names) {}

  @Test
  void valuesArriveAsTheyWereStaged() throws SQLException {
    Channel<Limits> limits = Channel.of("limits", Limits.class);
    List<Limits> arrived = new CopyOnWriteArrayList<>();
    Limits value = new Limits(7, List.of("ä\u0000\"\\", "😀", ""));
    DeliveryHandler<Limits> handler =
        delivery -> {
          arrived.add(delivery.value());
          return Receipt.delivered();
        };
    try (Outbox outbox = open(builder().deliver(limits, handler))) {
      stage(outbox, limits.item("ключ 😀 'quoted'", value)).wake();
      settled(outbox);

      assertThat(arrived).containsExactly(value);
      assertThat(outbox.find(limits, "ключ 😀 'quoted'")).isPresent();
    }
  }
}
