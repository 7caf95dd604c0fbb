package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.coordinator.GroupContent.Edit;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.StoreTime;
import io.waymark.testing.SeededRandom;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two processes run a coordinator over one database. Either may stand still for minutes, at
 * whatever moment, while the other goes on, and do no harm when it wakes.
 */
class TwoCoordinatorsTest {
  private static final Duration MINUTES = Duration.ofMinutes(10);

  private final PostgresModelDatabase database = new PostgresModelDatabase(2);
  private final StoreTime time = new StoreTime();
  private final SeededRandom random = SeededRandom.of(1);
  private final Shelf shelf = Shelf.inMemory();
  private final Mishaps none = new Mishaps(random, time, MINUTES);
  private final Receivers receivers = new Receivers();
  private final ModelProcess one = process(0);
  private final ModelProcess two = process(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicReference<Thread> sleeper = new AtomicReference<>();

  private ModelProcess process(int number) {
    return new ModelProcess(number, database, shelf, none, receivers, time);
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    for (ModelProcess process : List.of(one, two)) {
      process.gate.wake();
      process.stop();
    }
    database.close();
  }

  private static Edit put(String id) {
    return new Edit("put " + id, now -> now.with(Member.active(id)));
  }

  private static Edit limits(int value) {
    return new Edit("limits", now -> now.with("limits", value));
  }

  private Future<UpdateResult> inOne(String group, Edit edit) {
    return threads.submit(
        () -> {
          sleeper.set(Thread.currentThread());
          return one.update(group, edit);
        });
  }

  /** A change whose publication or delivery stands still: while it begins, nobody else takes it. */
  private Future<UpdateResult> asleepInOne(String moment, String group, Edit edit) {
    two.stop();
    one.gate.pauseAt(moment, thread -> true);
    Future<UpdateResult> slept = inOne(group, edit);
    awaitAsleep();
    two.start();
    return slept;
  }

  private boolean isSleeper(Thread thread) {
    return thread == sleeper.get();
  }

  private void awaitAsleep() {
    await().until(one.gate::isPaused);
  }

  private UpdateResult woken(Future<UpdateResult> result) throws Exception {
    one.gate.wake();
    return result.get(10, TimeUnit.SECONDS);
  }

  private List<String> stored(String group) {
    return shelf
        .stored(group)
        .map(each -> ((GroupSnapshot) each).members().stream().map(Member::id).toList())
        .orElse(List.of());
  }

  private static List<String> ids(GroupContent content) {
    return content.members().stream().map(Member::id).toList();
  }

  private void awaitQuiet() {
    await().until(() -> two.topology.backlog().isEmpty());
  }

  @Test
  void noUpdateIsLostThoughBothChangeTheSameGroupsAtOnce() throws Exception {
    int each = 14;
    List<Future<?>> all = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      String name = "thread-" + thread;
      ModelProcess process = thread % 2 == 0 ? one : two;
      all.add(
          threads.submit(
              () -> {
                for (int i = 0; i < each; i++) {
                  Member member = Member.active(name + "-" + i);
                  process.update(
                      i % 2 == 0 ? "a" : "b",
                      new Edit(
                          "count",
                          now ->
                              now.with(member)
                                  .with("limits", now.values().getOrDefault("limits", 0) + 1)));
                }
                return null;
              }));
    }
    for (Future<?> some : all) {
      some.get(60, TimeUnit.SECONDS);
    }

    for (String group : List.of("a", "b")) {
      int changes = 4 * each / 2;
      GroupContent now = one.read(group);
      assertThat(now.members()).hasSize(changes);
      assertThat(now.values()).containsEntry("limits", changes);
      assertThat(version(group)).isEqualTo(changes);
    }
    awaitQuiet();
    for (String group : List.of("a", "b")) {
      assertThat(stored(group)).isEqualTo(ids(two.read(group)));
      for (Member member : two.read(group).members()) {
        assertThat(receivers.value("limits", member.id()))
            .isEqualTo(two.read(group).values().get("limits"));
      }
    }
    assertThat(receivers.violations).isEmpty();
  }

  private long version(String group) {
    return two.topology.snapshot(group).orElseThrow().stamp().version();
  }

  @Test
  void whoSleepsInTheMiddleOfAPublicationDoesNotTakeTheNewerOneAway() throws Exception {
    Future<UpdateResult> slept = asleepInOne("write", "acme", put("old"));
    time.advance(MINUTES);

    UpdateResult newer = two.update("acme", put("new"));
    await().untilAsserted(() -> assertThat(stored("acme")).containsExactly("old", "new"));
    awaitQuiet();

    assertThat(woken(slept).changed()).isTrue();
    assertThatNothingComesAfter(newer);
  }

  @Test
  void whoSleepsAfterAPublicationDoesNotTakeTheNewerOneAway() throws Exception {
    Future<UpdateResult> slept = asleepInOne("written", "acme", put("old"));
    time.advance(MINUTES);

    UpdateResult newer = two.update("acme", put("new"));
    await().untilAsserted(() -> assertThat(stored("acme")).containsExactly("old", "new"));
    awaitQuiet();

    assertThat(woken(slept).changed()).isTrue();
    assertThatNothingComesAfter(newer);
  }

  /** Gives the process that woke the time to do all that it can, and another few minutes. */
  private void assertThatNothingComesAfter(UpdateResult newest) {
    await().until(() -> !one.isWriting());
    // Before a sweep has had the time to mend anything.
    assertThat(shelf.stored("acme").orElseThrow().stamp()).isEqualTo(newest.stamp());
    one.update("afterwards", put("x"));
    time.advance(MINUTES);
    awaitQuiet();
    assertThat(shelf.stored("acme").orElseThrow().stamp()).isEqualTo(newest.stamp());
    assertThat(two.topology.snapshot("acme").orElseThrow().stamp()).isEqualTo(newest.stamp());
  }

  @Test
  void whoSleepsInTheMiddleOfADeliveryDoesNotTakeTheNewerValueAway() throws Exception {
    one.update("acme", put("m"));
    Future<UpdateResult> slept = asleepInOne("deliver", "acme", limits(1));
    time.advance(MINUTES);

    two.update("acme", limits(2));
    await().untilAsserted(() -> assertThat(receivers.value("limits", "m")).isEqualTo(2));
    awaitQuiet();
    woken(slept);

    UpdateResult after = one.update("acme", put("n"));
    assertThatNothingComesAfter(after);
    assertThat(receivers.value("limits", "m")).isEqualTo(2);
    assertThat(receivers.value("limits", "n")).isEqualTo(2);
    assertThat(receivers.violations).isEmpty();
  }

  @Test
  void whoSleepsWithAClaimLeavesTheWorkToTheOther() throws Exception {
    Future<UpdateResult> slept = asleepInOne("write", "acme", put("only"));
    assertThat(stored("acme")).isEmpty();

    time.advance(MINUTES);

    await().untilAsserted(() -> assertThat(stored("acme")).containsExactly("only"));
    awaitQuiet();
    woken(slept);
  }

  @Test
  void whoSleepsWhileItDecidesDecidesAgain() throws Exception {
    one.update("acme", put("first"));
    one.gate.pauseAt("decide", thread -> true);
    Future<UpdateResult> slept = inOne("acme", deciding(put("one")));
    awaitAsleep();
    two.update("acme", put("two"));
    time.advance(MINUTES);

    assertThat(woken(slept).version()).isEqualTo(3);

    assertThat(ids(two.read("acme"))).containsExactly("first", "two", "one");
    awaitQuiet();
    assertThat(stored("acme")).containsExactly("first", "two", "one");
  }

  private Edit deciding(Edit edit) {
    return new Edit(
        edit.text(),
        now -> {
          one.gate.pass("decide");
          return edit.change().apply(now);
        });
  }

  @Test
  void whoSleepsWhileItDecidesThroughAFailoverDecidesAgain() throws Exception {
    one.update("acme", put("m"));
    one.update("acme", adding(1));
    ModelDatabase.Copy copy = database.copy();
    two.update("acme", adding(1_000));
    one.gate.pauseAt("decide", thread -> true);
    Future<UpdateResult> slept = inOne("acme", deciding(adding(100)));
    awaitAsleep();
    copy.restore(random);
    // As many changes as were lost, so that the row counts as many as when it was read.
    two.update("acme", adding(10));

    assertThat(woken(slept).changed()).isTrue();

    assertThat(two.read("acme").values()).containsEntry("limits", 111);
    time.advance(MINUTES);
    awaitQuiet();
    assertThat(receivers.value("limits", "m")).isEqualTo(111);
  }

  private static Edit adding(int more) {
    return new Edit(
        "add", now -> now.with("limits", now.values().getOrDefault("limits", 0) + more));
  }

  @Test
  void whoSleepsAfterItsCommitHasChangedTheGroup() throws Exception {
    one.update("acme", put("first"));
    Future<UpdateResult> slept = inOne("acme", sleepingAt("committed", put("one")));
    awaitAsleep();
    time.advance(MINUTES);

    UpdateResult newer = two.update("acme", put("two"));

    assertThat(newer.version()).isEqualTo(3);
    assertThat(woken(slept).version()).isEqualTo(2);
    awaitQuiet();
    assertThat(stored("acme")).containsExactly("first", "one", "two");
  }

  @Test
  void whoSleepsInATransactionHoldsUpOnlyItsGroupAndOnlyUntilTheServerEndsIt() throws Exception {
    one.update("acme", put("first"));
    awaitQuiet();
    Future<UpdateResult> slept = inOne("acme", sleepingAt("commit", put("one")));
    awaitAsleep();
    assertThat(one.gate.isInTransaction()).isTrue();

    assertThat(two.update("other", put("x")).changed()).isTrue();
    Future<UpdateResult> waits = threads.submit(() -> two.update("acme", put("two")));
    assertThatThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    database.breakConnections(0); // as idle_in_transaction_session_timeout does
    assertThat(waits.get(10, TimeUnit.SECONDS).version()).isEqualTo(2);

    List<String> after = new ArrayList<>(List.of("first", "two"));
    if (succeeds(slept)) {
      after.add("one");
    }
    assertThat(ids(two.read("acme"))).isEqualTo(after);
    awaitQuiet();
    assertThat(stored("acme")).isEqualTo(after);
  }

  /** The next moment of this kind after the decision is the one: reads commit too. */
  private Edit sleepingAt(String moment, Edit edit) {
    AtomicBoolean slept = new AtomicBoolean();
    return new Edit(
        edit.text(),
        now -> {
          if (slept.compareAndSet(false, true)) {
            one.gate.pauseAt(moment, this::isSleeper);
          }
          return edit.change().apply(now);
        });
  }

  private boolean succeeds(Future<UpdateResult> slept) throws Exception {
    try {
      return woken(slept).changed();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(DurableStoreException.class);
      return false;
    }
  }
}
