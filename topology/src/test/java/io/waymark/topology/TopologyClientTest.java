package io.waymark.topology;

import static io.waymark.topology.Groups.acme;
import static io.waymark.topology.Groups.snapshot;
import static io.waymark.topology.Groups.tombstone;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.SeededRandom;
import io.waymark.testing.SettableTicker;
import io.waymark.topology.FallbackEvent.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TopologyClientTest {
  private final FakeStore store = new FakeStore();

  /** Near the end of what a ticker can count, so that it wraps around in the tests. */
  private final SettableTicker ticker =
      new SettableTicker(Long.MAX_VALUE - Duration.ofSeconds(40).toNanos());

  private final List<FallbackEvent> fallbacks = new CopyOnWriteArrayList<>();
  private final List<TopologyClient> clients = new ArrayList<>();

  @AfterEach
  void closeClients() {
    clients.forEach(TopologyClient::close);
  }

  private TopologyClientBuilder builder() {
    return TopologyClient.builder(store).ticker(ticker).onFallback(fallbacks::add);
  }

  private TopologyClient client(TopologyClientBuilder builder) {
    TopologyClient client = builder.build();
    clients.add(client);
    return client;
  }

  private TopologyClient client() {
    return client(builder());
  }

  private void pass(Duration time) {
    ticker.advance(time);
  }

  private static TopologyUnavailableException refusal(TopologyClient client, String group) {
    return catchThrowableOfType(TopologyUnavailableException.class, () -> client.get(group));
  }

  /** A generator that draws this from [0, 1) again and again. */
  private static RandomGenerator drawing(double value) {
    long bits = (long) (value * (1L << 53)) << 11;
    return () -> bits;
  }

  @Test
  void aGroupIsReadOnceAndServedFromThenOn() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client();

    GroupSnapshot first = client.get("acme");
    GroupSnapshot second = client.get("acme");

    assertThat(first).isEqualTo(acme("1.1@c1")).isSameAs(second);
    assertThat(store.reads()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 24000", "0.5, 30000", "0.9999999, 35999"})
  void aSnapshotIsFreshForTheTimeToLiveSpreadByAFifthEitherWay(double drawn, long freshMillis) {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().random(drawing(drawn)));
    client.get("acme");

    pass(Duration.ofMillis(freshMillis - 1));
    client.get("acme");
    assertThat(store.reads()).isEqualTo(1);

    pass(Duration.ofMillis(2));
    client.get("acme");
    assertThat(store.reads()).isEqualTo(2);
  }

  @Test
  void anExpiredSnapshotIsReadAgainAndTheSameObjectIsKeptWhenNothingChanged() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client();
    GroupSnapshot before = client.get("acme");

    pass(Duration.ofSeconds(36));

    assertThat(client.get("acme")).isSameAs(before);
    store.put(acme("1.2@c1"));
    pass(Duration.ofSeconds(36));
    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
    assertThat(store.reads()).isEqualTo(3);
  }

  @Test
  void allWhoAskAtOnceShareOneRead() throws Exception {
    CompletableFuture<Optional<String>> held = store.put(acme("1.1@c1")).hold();
    TopologyClient client = client(builder().readTimeout(Duration.ofMinutes(1)));
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<GroupSnapshot>> callers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        callers.add(threads.submit(() -> client.get("acme")));
      }
      await().until(() -> store.reads() == 1);

      held.complete(store.text("acme"));

      for (Future<GroupSnapshot> caller : callers) {
        assertThat(caller.get(30, TimeUnit.SECONDS)).isEqualTo(acme("1.1@c1"));
      }
      assertThat(store.reads()).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anOlderSnapshotOfTheSameAuthorityNeverReplacesANewerOne() {
    store.put(acme("1.5@c1"));
    TopologyClient client = client();
    GroupSnapshot newest = client.get("acme");

    store.put(acme("1.4@c1"));
    pass(Duration.ofSeconds(36));

    assertThat(client.get("acme")).isSameAs(newest);
    assertThat(client.stats().older()).isEqualTo(1);
    assertThat(fallbacks).isEmpty();
  }

  @Test
  void aStoreThatIsBehindIsAskedAgainAfterTheNegativeTimeToLive() {
    store.put(acme("1.5@c1"));
    TopologyClient client = client();
    client.get("acme");
    store.put(acme("1.4@c1"));
    pass(Duration.ofSeconds(36));
    client.get("acme");

    store.put(acme("1.6@c1"));
    pass(Duration.ofSeconds(6));

    assertThat(client.get("acme")).isEqualTo(acme("1.6@c1"));
  }

  @Test
  void anotherAuthorityIsTakenWhateverItsNumbersAre() {
    store.put(acme("9.9@c1"));
    TopologyClient client = client();
    client.get("acme");

    store.put(acme("0.1@c2"));
    pass(Duration.ofSeconds(36));

    assertThat(client.get("acme")).isEqualTo(acme("0.1@c2"));
  }

  @Test
  void theHighestStampOutlivesTheSnapshot() {
    store.put(acme("1.5@c1"));
    TopologyClient client = client(builder().maxGroups(1));
    client.get("acme");
    store.put(snapshot("other", "1.1@c1"));
    client.get("other"); // acme has made room

    store.put(acme("1.4@c1"));

    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.OUTDATED);
    assertThat(refusal(client, "acme")).hasMessageContaining("1.5@c1");
    assertThat(client.stats().groupEvictions()).isPositive();
    assertThat(client.stats().highWaterEvictions()).isZero();
  }

  @Test
  void highestStampsAreBoundedTooAndWhatIsForgottenIsCounted() {
    TopologyClient client = client(builder().maxGroups(1).highWaterGroups(10));
    for (int i = 0; i < 30; i++) {
      store.put(snapshot("g" + i, "1.1@c1"));
      client.get("g" + i);
    }

    assertThat(client.stats().groups()).isEqualTo(1);
    assertThat(client.stats().groupEvictions()).isEqualTo(29);
    assertThat(client.stats().highWaterEvictions()).isEqualTo(20);
  }

  @Test
  void aMissingGroupIsRefusedAndTheStoreIsLeftAloneForAWhile() {
    TopologyClient client = client();

    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.MISSING);
    pass(Duration.ofMillis(4_999));
    assertThat(refusal(client, "acme"))
        .hasMessageStartingWith("WM2101: group \"acme\" is unavailable (missing)");
    assertThat(store.reads()).isEqualTo(1);

    store.put(acme("1.1@c1"));
    pass(Duration.ofMillis(1_001));
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
  }

  @Test
  void aFailedReadIsRememberedLikeAMissingGroup() {
    store.fail();
    TopologyClient client = client();

    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.FAILED);
    assertThat(refusal(client, "acme")).hasRootCauseMessage("the store is down");
    assertThat(store.reads()).isEqualTo(1);

    store.recover().put(acme("1.1@c1"));
    pass(Duration.ofSeconds(6));
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
  }

  @Test
  void aReaderThatThrowsHasFailed() {
    store.answer(
        group -> {
          throw new IllegalStateException("broken");
        });

    assertThat(refusal(client(), "acme").reason()).isEqualTo(UnavailableReason.FAILED);
  }

  @Test
  void aReaderThatAnswersWithNullHasFailed() {
    store.answer(group -> completedFuture(null));

    assertThat(refusal(client(), "acme").reason()).isEqualTo(UnavailableReason.FAILED);
  }

  @Test
  void whatIsNoSnapshotIsInvalid() {
    store.put("acme", "{\"format\":1}");

    assertThat(refusal(client(), "acme").reason()).isEqualTo(UnavailableReason.INVALID);
  }

  @Test
  void aTombstoneIsADeletedGroup() {
    store.put(tombstone("acme", "1.3@c1"));

    assertThat(refusal(client(), "acme").reason()).isEqualTo(UnavailableReason.DELETED);
  }

  @Test
  void aReadThatTakesTooLongIsATimeoutAndItsLateAnswerIsTaken() {
    CompletableFuture<Optional<String>> held = store.put(acme("1.1@c1")).hold();
    TopologyClient client = client(builder().readTimeout(Duration.ofMillis(50)));

    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.TIMEOUT);
    held.complete(store.text("acme"));

    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    assertThat(store.reads()).isEqualTo(1);
  }

  @Test
  void aLateAnswerDoesNotReplaceWhatCameAfterIt() {
    CompletableFuture<Optional<String>> held = store.hold();
    TopologyClient client = client(builder().readTimeout(Duration.ofMillis(50)));
    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.TIMEOUT);
    store.recover().put(acme("1.2@c1"));
    pass(Duration.ofSeconds(6));
    client.get("acme");

    held.complete(Optional.of(SnapshotCodec.encode(acme("1.1@c1"))));

    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
  }

  @Test
  void anInterruptedCallerLeavesAndStaysInterrupted() throws Exception {
    store.silence();
    TopologyClient client = client(builder().readTimeout(Duration.ofMinutes(1)));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch left = new CountDownLatch(1);
    AtomicReference<Boolean> interrupted = new AtomicReference<>(false);
    Thread caller =
        new Thread(
            () -> {
              thrown.set(refusal(client, "acme"));
              interrupted.set(Thread.currentThread().isInterrupted());
              left.countDown();
            });
    caller.start();
    await().until(() -> store.reads() == 1);

    caller.interrupt();

    assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thrown.get()).isInstanceOf(TopologyUnavailableException.class);
    assertThat(interrupted.get()).isTrue();
  }

  @Test
  void theLastGoodSnapshotStandsInForAWhileAfterItExpired() {
    store.put(acme("1.1@c1"));
    TopologyClient client =
        client(builder().random(drawing(0.5)).staleIfError(Duration.ofMinutes(5)));
    GroupSnapshot good = client.get("acme");
    store.fail();

    pass(Duration.ofSeconds(30 + 299));
    assertThat(client.get("acme")).isSameAs(good);
    assertThat(fallbacks)
        .containsExactly(new FallbackEvent("acme", Source.STALE, UnavailableReason.FAILED));

    pass(Duration.ofSeconds(2));
    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.FAILED);
  }

  @ParameterizedTest
  @EnumSource(
      value = UnavailableReason.class,
      names = {"MISSING", "DELETED"})
  void nothingStaleStandsInForAGroupThatIsGone(UnavailableReason reason) {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().staleIfError(Duration.ofHours(1)));
    client.get("acme");
    if (reason == UnavailableReason.DELETED) {
      store.put(tombstone("acme", "1.2@c1"));
    } else {
      store.remove("acme");
    }
    pass(Duration.ofSeconds(36));
    assertThat(refusal(client, "acme").reason()).isEqualTo(reason);

    // also when the store fails afterwards: what it said last still counts
    store.fail();
    pass(Duration.ofSeconds(6));
    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.FAILED);
    assertThat(fallbacks).isEmpty();
  }

  @Test
  void theFallbacksAreTriedInOrderAndTheirResultsAreNotKept() {
    AtomicInteger seeds = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    GroupSnapshot own = GroupSnapshot.local("acme", List.of(Member.active("own")));
    store.put(acme("1.1@c1"));
    TopologyClient client =
        client(
            builder()
                .staleIfError(Duration.ofSeconds(15)) // the snapshot lives for 24 s to 36 s
                .seed(
                    group -> {
                      if (seeds.incrementAndGet() > 2) {
                        throw new IllegalStateException("no idea");
                      }
                      return Members.numbered(group, 2);
                    })
                .fallback(
                    (group, reason) -> {
                      assertThat(reason).isEqualTo(UnavailableReason.FAILED);
                      return calls.incrementAndGet() > 2 ? Optional.empty() : Optional.of(own);
                    }));
    client.get("acme");
    store.fail();
    pass(Duration.ofSeconds(36));

    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    pass(Duration.ofSeconds(60));
    assertThat(client.get("acme").members()).isEqualTo(Members.numbered("acme", 2));
    assertThat(client.get("acme").stamp().isLocal()).isTrue();
    assertThat(client.get("acme")).isSameAs(own);
    assertThat(client.get("acme")).isSameAs(own);
    assertThatThrownBy(() -> client.get("acme")).isInstanceOf(TopologyUnavailableException.class);
    assertThat(fallbacks)
        .extracting(FallbackEvent::source)
        .containsExactly(Source.STALE, Source.SEED, Source.SEED, Source.FALLBACK, Source.FALLBACK);
    assertThat(client.stats().fallbacks())
        .containsEntry(Source.STALE, 1L)
        .containsEntry(Source.SEED, 2L)
        .containsEntry(Source.FALLBACK, 2L);
  }

  @Test
  void aSeedWithoutMembersIsNoSeed() {
    TopologyClient client = client(builder().seed(group -> List.of()));

    assertThat(refusal(client, "acme").reason()).isEqualTo(UnavailableReason.MISSING);
    assertThat(fallbacks).isEmpty();
  }

  @Test
  void whatAFallbackThrowsIsSuppressedInTheRefusal() {
    TopologyClient client =
        client(
            builder()
                .fallback(
                    (group, reason) -> {
                      throw new IllegalStateException("own trouble");
                    }));

    assertThat(refusal(client, "acme").getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("own trouble");
  }

  @Test
  void aListenerOfFallbacksThatThrowsDoesNotDisturb() {
    TopologyClient client =
        client(
            builder()
                .seed(group -> Members.numbered(group, 1))
                .onFallback(
                    event -> {
                      throw new IllegalStateException("listener");
                    }));

    assertThat(client.get("acme").members()).hasSize(1);
  }

  @Test
  void aRefreshAheadOfExpiryLetsNobodyWait() {
    store.put(acme("1.1@c1"));
    TopologyClient client =
        client(builder().random(drawing(0.5)).refreshAhead(Duration.ofSeconds(10)));
    client.get("acme");
    CompletableFuture<Optional<String>> held = store.put(acme("1.2@c1")).hold();

    pass(Duration.ofSeconds(19));
    client.get("acme");
    assertThat(store.reads()).isEqualTo(1);

    pass(Duration.ofSeconds(2));
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    assertThat(store.reads()).isEqualTo(2);

    held.complete(store.text("acme"));
    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
  }

  @Test
  void aFailedRefreshAheadLeavesTheSnapshotAndIsTriedAgain() {
    store.put(acme("1.1@c1"));
    TopologyClient client =
        client(builder().random(drawing(0.5)).refreshAhead(Duration.ofSeconds(10)));
    client.get("acme");
    pass(Duration.ofSeconds(21));
    store.fail();

    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    assertThat(store.reads()).isEqualTo(2);

    store.recover().put(acme("1.2@c1"));
    pass(Duration.ofSeconds(6));
    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
    assertThat(fallbacks).isEmpty();
  }

  @Test
  void aPushIsReadAtOnceByKey() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client();
    client.get("acme");

    store.put(acme("1.2@c1"));
    store.listener().changed("acme", Stamp.parse("1.2@c1"));

    assertThat(store.reads()).isEqualTo(2);
    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
    assertThat(client.stats().pushes()).isEqualTo(1);
  }

  @Test
  void pushesOfWhatIsKnownOrOfNobodysConcernCostNoRead() {
    store.put(acme("1.5@c1"));
    TopologyClient client = client();
    client.get("acme");

    store.listener().changed("acme", Stamp.parse("1.5@c1"));
    store.listener().changed("acme", Stamp.parse("1.4@c1"));
    store.listener().changed("other", null);
    store.listener().changed("", null);

    assertThat(store.reads()).isEqualTo(1);
  }

  @Test
  void aPushDuringAReadIsFollowedByAnotherRead() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().readTimeout(Duration.ofMinutes(1)));
    client.get("acme");
    CompletableFuture<Optional<String>> first = store.hold();
    store.listener().changed("acme", Stamp.parse("1.2@c1"));
    store.recover().put(acme("1.3@c1"));

    store.listener().changed("acme", Stamp.parse("1.3@c1"));
    assertThat(store.reads()).isEqualTo(2);
    first.complete(Optional.of(SnapshotCodec.encode(acme("1.2@c1"))));

    await().until(() -> client.get("acme").equals(acme("1.3@c1")));
    assertThat(store.reads()).isEqualTo(3);
  }

  @Test
  void aStoreThatPushesWithoutAPauseIsNotReadWithoutAPause() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().readTimeout(Duration.ofMinutes(1)));
    client.get("acme");
    CompletableFuture<Optional<String>> held = store.hold();

    for (int i = 0; i < 10_000; i++) {
      store.listener().changed("acme", null);
    }

    assertThat(store.reads()).isEqualTo(2);
    store.recover();
    held.complete(store.text("acme"));
    await().until(() -> store.reads() == 3);
  }

  @Test
  void afterAGapEverythingThatIsKeptIsReadAgainByKey() {
    for (int i = 0; i < 100; i++) {
      store.put(snapshot("g" + i, "1.1@c1"));
    }
    List<GroupChange> changes = new CopyOnWriteArrayList<>();
    TopologyClient client = client(builder().onChange(changes::add));
    store.listener().listening();
    for (int i = 0; i < 100; i++) {
      client.get("g" + i);
    }
    await().until(() -> changes.size() == 100);

    store.listener().interrupted("connection lost");
    assertThat(client.inspect("g1").silent()).contains("connection lost");
    for (int i = 0; i < 100; i++) {
      store.put(snapshot("g" + i, "1.2@c1"));
    }
    store.listener().listening();

    await().until(() -> changes.size() == 200);
    assertThat(client.inspect("g1").silent()).isEmpty();
    assertThat(client.get("g99")).isEqualTo(snapshot("g99", "1.2@c1"));
    assertThat(store.reads()).isEqualTo(200);
  }

  @Test
  void afterAGapOnlyAFewReadsAreUnderWayAtOnce() {
    for (int i = 0; i < 100; i++) {
      store.put(snapshot("g" + i, "1.1@c1"));
    }
    TopologyClient client = client(builder().readTimeout(Duration.ofMinutes(1)));
    for (int i = 0; i < 100; i++) {
      client.get("g" + i);
    }
    List<CompletableFuture<Optional<String>>> open = new CopyOnWriteArrayList<>();
    store.answer(
        group -> {
          CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
          open.add(answer);
          return answer;
        });

    store.listener().listening();

    assertThat(open).hasSize(8);
    open.get(0).complete(Optional.empty());
    open.get(1).completeExceptionally(new IllegalStateException("down"));
    assertThat(open).hasSize(10);
  }

  @Test
  void changesAreToldWithBeforeAndAfterAndOnlyWhenSomethingChanged() {
    List<GroupChange> changes = new CopyOnWriteArrayList<>();
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().onChange(changes::add));
    client.get("acme");
    pass(Duration.ofSeconds(36));
    client.get("acme");
    await().until(() -> changes.size() == 1);
    store.put(acme("1.2@c1"));
    store.listener().changed("acme", null);
    await().until(() -> changes.size() == 2);
    store.put(tombstone("acme", "1.3@c1"));
    store.listener().changed("acme", null);
    await().until(() -> changes.size() == 3);

    assertThat(changes)
        .containsExactly(
            new GroupChange("acme", Optional.empty(), Optional.of(acme("1.1@c1"))),
            new GroupChange("acme", Optional.of(acme("1.1@c1")), Optional.of(acme("1.2@c1"))),
            new GroupChange("acme", Optional.of(acme("1.2@c1")), Optional.empty()));
  }

  @Test
  void aListenerThatThrowsOrHangsHoldsUpNoRead() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    List<GroupChange> changes = new CopyOnWriteArrayList<>();
    store.put(acme("1.1@c1"));
    TopologyClient client =
        client(
            builder()
                .onChange(
                    change -> {
                      changes.add(change);
                      if (changes.size() == 1) {
                        throw new AssertionError("a listener's error");
                      }
                      if (changes.size() == 2) {
                        uninterruptibly(release);
                      }
                    }));
    client.get("acme");
    await().until(() -> changes.size() == 1);

    for (int i = 2; i < 6; i++) {
      store.put(acme("1." + i + "@c1"));
      store.listener().changed("acme", null);
      assertThat(client.get("acme")).isEqualTo(acme("1." + i + "@c1"));
      if (i == 2) {
        await().until(() -> changes.size() == 2);
      }
    }
    release.countDown();

    await().until(() -> changes.size() == 3);
    assertThat(changes.get(2))
        .isEqualTo(
            new GroupChange("acme", Optional.of(acme("1.2@c1")), Optional.of(acme("1.5@c1"))));
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void inspectSaysWhatACallWouldGetAndReadsNothing() {
    TopologyClient client =
        client(builder().random(drawing(0.5)).staleIfError(Duration.ofMinutes(1)));
    assertThat(client.inspect("acme"))
        .hasToString("acme -> read [nothing kept, no push: not begun]");
    store.put(acme("1.1@c1"));
    store.listener().listening();
    client.get("acme");
    pass(Duration.ofSeconds(10));
    assertThat(client.inspect("acme")).hasToString("acme -> cache [1.1@c1, expires in 20s]");
    store.fail();
    pass(Duration.ofSeconds(25));
    assertThat(client.inspect("acme")).hasToString("acme -> read [1.1@c1, expired 5s ago]");
    client.get("acme");
    assertThat(client.inspect("acme"))
        .hasToString(
            "acme -> stale [1.1@c1, expired 5s ago, last read: failed, asked again in 5.5s]");
    assertThat(store.reads()).isEqualTo(2);
  }

  @Test
  void aNameThatNoGroupCanHaveIsNotReadAtAll() {
    TopologyClient client = client();

    assertThatThrownBy(() -> client.get("a\nb")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.inspect("")).isInstanceOf(IllegalArgumentException.class);
    assertThat(store.reads()).isZero();
  }

  @Test
  void aClosedClientClosesItsReaderAndServesNothing() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client();
    client.get("acme");

    client.close();
    client.close();

    assertThat(store.isClosed()).isTrue();
    assertThatThrownBy(() -> client.get("acme")).hasMessageStartingWith("WM2103: ");
  }

  @Test
  void noSequenceOfAnswersLetsAnAuthoritysOlderSnapshotIn() {
    SeededRandom random = SeededRandom.create();
    TopologyClient client = client(builder().maxGroups(2).random(random.split()));
    java.util.Map<String, Stamp> highest = new java.util.HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      String group = "g" + random.nextInt(4);
      String authority = "c" + random.nextInt(2);
      Stamp stamp = new Stamp(authority, random.nextInt(1 + step / 1000), random.nextInt(50));
      int kind = random.nextInt(10);
      if (kind == 0) {
        store.answer(g -> failedFuture(new IllegalStateException("down")));
      } else if (kind == 1) {
        store.recover().remove(group);
      } else if (kind == 2) {
        store.recover().put(new Tombstone(group, stamp));
      } else {
        store.recover().put(new GroupSnapshot(group, stamp, Members.numbered(group, 1)));
      }
      if (random.nextBoolean()) {
        store.listener().changed(group, null);
      }
      pass(Duration.ofSeconds(random.nextInt(40)));
      Stamp got = stampOf(client, group);
      if (got != null) {
        Stamp before = highest.put(group + "/" + got.authority(), got);
        assertThat(before == null || got.equals(before) || got.isNewerThan(before))
            .as("%s: %s after %s at step %s", random, got, before, step)
            .isTrue();
      }
    }
  }

  private static @org.jspecify.annotations.Nullable Stamp stampOf(
      TopologyClient client, String group) {
    try {
      return client.get(group).stamp();
    } catch (TopologyUnavailableException e) {
      return null;
    }
  }
}
