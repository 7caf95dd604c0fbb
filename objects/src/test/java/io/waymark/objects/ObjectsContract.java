package io.waymark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.OptionException;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SettableTicker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What objects promise wherever they live. */
abstract class ObjectsContract {
  private final Stores stores = stores();
  private final SettableTicker ticker = new SettableTicker();
  private final Map<String, Counter.Watch> watches = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private NamedObjects<Counter> objects = builder().build();

  abstract Stores stores();

  private Counter.Watch watch(String name) {
    return watches.computeIfAbsent(name, unused -> new Counter.Watch());
  }

  private Counter counter(ObjectContext context) {
    return new Counter(context, watch(context.name()));
  }

  private NamedObjectsBuilder<Counter> builder() {
    return stores
        .objects(this::counter)
        .ticker(ticker)
        .idleAfter(Duration.ofHours(1))
        .closeWait(Duration.ofSeconds(30));
  }

  private void open(NamedObjectsBuilder<Counter> builder) {
    objects.close();
    objects = builder.build();
  }

  @BeforeEach
  void ready() {
    assertThat(objects.open()).isEmpty();
  }

  @AfterEach
  void close() {
    objects.close();
    threads.shutdownNow();
    stores.close();
    watches.forEach(
        (name, watch) -> {
          assertThat(watch.faults).as(name).hasValue(0);
          assertThat(watch.open).as(name).hasValue(0);
        });
  }

  /** A call that has begun and goes on until it is told to end. */
  private final class LongCall {
    private final CountDownLatch end = new CountDownLatch(1);
    private final Future<Long> result;

    LongCall(String name) throws InterruptedException {
      CountDownLatch begun = new CountDownLatch(1);
      result =
          threads.submit(
              () ->
                  objects.<Long, InterruptedException>call(
                      name,
                      counter -> {
                        begun.countDown();
                        end.await();
                        return counter.add();
                      }));
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    long end() throws Exception {
      end.countDown();
      return result.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void anObjectIsOpenedByTheFirstCallAndOnceHoweverManyComeTogether() throws Exception {
    List<Callable<Long>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      calls.add(() -> objects.call("acme", Counter::add));
    }

    List<Future<Long>> results = threads.invokeAll(calls);

    List<Long> values = new ArrayList<>();
    for (Future<Long> each : results) {
      values.add(each.get());
    }
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 16).mapToObj(i -> (long) i).toList());
    assertThat(watch("acme").made).hasValue(1);
  }

  @Test
  void aReferenceOpensNothing() {
    ObjectRef<Counter> acme = objects.get("acme");

    assertThat(objects.open()).isEmpty();
    assertThat(objects.names()).isEmpty();
    assertThat(acme.<Long, RuntimeException>call(Counter::add)).isEqualTo(1);
    assertThat(acme.name()).isEqualTo("acme");
    assertThat(acme).isEqualTo(objects.get("acme", "weur")).isNotEqualTo(objects.get("other"));
    assertThat(acme).hasSameHashCodeAs(objects.get("acme")).hasToString("ObjectRef[acme]");
  }

  @Test
  void namesDoNotSeeEachOthersTables() {
    objects.call("acme", Counter::add);
    objects.call("Acme", Counter::add);

    assertThat(Counter.value(objects, "acme")).isEqualTo(1);
    assertThat(Counter.value(objects, "Acme")).isEqualTo(1);
    assertThat(Counter.value(objects, "acme ltd.")).isZero();
  }

  @Test
  void whatAnObjectStoredIsThereWhenItIsOpenedAgain() {
    objects.call("acme", Counter::add);

    open(builder());

    assertThat(Counter.value(objects, "acme")).isEqualTo(1);
    assertThat(watch("acme").made).hasValue(2);
  }

  @Test
  void anObjectIsClosedWhenNobodyCalledItForAWhile() {
    objects.call("acme", Counter::add);
    ticker.advance(Duration.ofMinutes(59));
    objects.sweep();
    assertThat(objects.open()).containsExactly("acme");
    objects.call("acme", Counter::add);
    ticker.advance(Duration.ofMinutes(59));
    objects.sweep();
    assertThat(objects.open()).containsExactly("acme");

    ticker.advance(Duration.ofMinutes(1));
    objects.sweep();

    assertThat(objects.open()).isEmpty();
    assertThat(Counter.value(objects, "acme")).isEqualTo(2);
  }

  @Test
  void idleObjectsAreLookedForByThemselves() {
    open(stores.objects(this::counter).idleAfter(Duration.ofMillis(50)));

    objects.call("acme", Counter::add);

    await().until(() -> objects.open().isEmpty());
  }

  @Test
  void anObjectThatHasWorkStaysOpen() {
    AtomicBoolean work = new AtomicBoolean(true);
    open(builder().maxOpen(1).keepOpenWhile(counter -> work.get()));
    objects.call("acme", Counter::add);
    ticker.advance(Duration.ofHours(2));

    objects.sweep();

    assertThat(objects.open()).containsExactly("acme");
    assertThatThrownBy(() -> objects.call("other", Counter::add))
        .isInstanceOfSatisfying(
            ObjectException.class, e -> assertThat(e.error()).isEqualTo(ObjectError.TOO_MANY))
        .hasMessageStartingWith("WM2502: other cannot be opened");
    work.set(false);
    objects.sweep(); // asked again only after a while
    assertThat(objects.open()).containsExactly("acme");
    ticker.advance(Duration.ofHours(1));
    objects.sweep();
    assertThat(objects.open()).isEmpty();
  }

  @Test
  void anObjectThatDoesNotTellWhetherItHasWorkStaysOpen() {
    open(
        builder()
            .keepOpenWhile(
                counter -> {
                  throw new IllegalStateException("the database is down");
                }));
    objects.call("acme", Counter::add);
    ticker.advance(Duration.ofHours(2));

    objects.sweep();

    assertThat(objects.open()).containsExactly("acme");
  }

  @Test
  void roomForAnotherIsMadeByClosingTheOneThatWasUnusedForLongest() {
    open(builder().maxOpen(2));
    objects.call("one", Counter::add);
    ticker.advance(Duration.ofSeconds(1));
    objects.call("two", Counter::add);
    ticker.advance(Duration.ofSeconds(1));
    objects.call("one", Counter::add);

    objects.call("three", Counter::add);

    assertThat(objects.open()).containsExactly("one", "three");
  }

  @Test
  void anObjectIsNeverClosedUnderACall() throws Exception {
    open(builder().maxOpen(1));
    LongCall call = new LongCall("acme");
    ticker.advance(Duration.ofHours(2));

    objects.sweep();

    assertThat(objects.open()).containsExactly("acme");
    assertThatExceptionOfType(ObjectException.class)
        .isThrownBy(() -> objects.call("other", Counter::add))
        .satisfies(e -> assertThat(e.error()).isEqualTo(ObjectError.TOO_MANY));
    assertThat(call.end()).isEqualTo(1);
    assertThat(Counter.add(objects, "other")).isEqualTo(1);
    assertThat(objects.open()).containsExactly("other");
  }

  @Test
  void closingWaitsForTheCallsThatHaveBegun() throws Exception {
    LongCall call = new LongCall("acme");

    Future<?> closing = threads.submit(objects::close);
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> objects.call("acme", Counter::add))
                    .isInstanceOf(ObjectException.class)
                    .hasMessageStartingWith("WM2505: "));

    assertThat(closing).isNotDone();
    assertThat(call.end()).isEqualTo(1);
    closing.get(30, TimeUnit.SECONDS);
    assertThat(watch("acme").open).hasValue(0);
  }

  @Test
  void whatIsInUseWhenTheWaitIsOverIsClosedByTheEndOfItsCall() throws Exception {
    open(builder().closeWait(Duration.ZERO));
    objects.call("idle", Counter::add);
    LongCall call = new LongCall("acme");

    objects.close();

    assertThat(watch("idle").open).hasValue(0);
    assertThat(watch("acme").open).hasValue(1);
    assertThat(call.end()).isEqualTo(1);
    assertThat(watch("acme").open).hasValue(0);
    objects = builder().build();
    assertThat(Counter.value(objects, "acme")).isEqualTo(1);
  }

  @Test
  void whatAFactoryThrowsReachesAllWhoWaitAndLeavesNothingOpen() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    open(
        stores
            .<Counter>objects(
                context -> {
                  asked.incrementAndGet();
                  go.await();
                  if (fails.get()) {
                    throw new IOException("no mail today");
                  }
                  return counter(context);
                })
            .ticker(ticker));
    List<Future<Long>> calls = new ArrayList<>();
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(
          threads.submit(
              () -> {
                synchronized (waiting) {
                  waiting.add(Thread.currentThread());
                }
                return objects.call("acme", Counter::add);
              }));
    }
    await()
        .until(
            () -> {
              synchronized (waiting) {
                return waiting.size() == 4
                    && waiting.stream().allMatch(t -> t.getState() == Thread.State.WAITING);
              }
            });

    go.countDown();

    for (Future<Long> each : calls) {
      assertThatThrownBy(each::get)
          .cause()
          .isInstanceOf(ObjectException.class)
          .hasMessage("WM2504: acme could not be opened: no mail today")
          .hasCauseInstanceOf(IOException.class);
    }
    assertThat(asked).hasValue(1);
    assertThat(objects.open()).isEmpty();
    fails.set(false);
    assertThat(Counter.add(objects, "acme")).isEqualTo(1);
  }

  @Test
  void anObjectThatFailsToCloseGivesItsNameBackAllTheSame() {
    NamedObjects<AutoCloseable> failing =
        stores
            .<AutoCloseable>objects(
                context ->
                    () -> {
                      throw new IOException("the door is stuck");
                    })
            .build();
    failing.call("acme", object -> true);

    failing.close();

    assertThat(Counter.add(objects, "acme")).isEqualTo(1);
  }

  @Test
  void whatACallThrowsReachesTheCallerAndTheObjectStaysOpen() {
    assertThatThrownBy(
            () ->
                objects.<Long, IOException>call(
                    "acme",
                    counter -> {
                      throw new IOException("rejected");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("rejected");

    assertThat(objects.open()).containsExactly("acme");
    objects.call("acme", Counter::add);
    assertThat(watch("acme").made).hasValue(1);
  }

  @Test
  void theHintOfTheFirstUseIsKept() {
    objects.get("acme", "weur").call(Counter::add);
    objects.get("plain").call(Counter::add);

    open(builder());

    assertThat(
            objects
                .get("acme", "enam")
                .<Optional<String>, RuntimeException>call(c -> c.context.placement()))
        .contains("weur");
    assertThat(
            objects
                .get("plain", "enam")
                .<Optional<String>, RuntimeException>call(c -> c.context.placement()))
        .isEmpty();
  }

  @Test
  void allNamesThatWereEverUsedAreOpenedAgainWhenThatIsAskedFor() {
    List<String> names = List.of("acme", "Acme", "zoë", "a/../b");
    names.forEach(name -> objects.call(name, Counter::add));
    open(builder());
    assertThat(objects.open()).isEmpty();

    Map<String, ObjectException> failed = objects.openAll();

    assertThat(failed).isEmpty();
    assertThat(objects.names()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(objects.open()).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void aNameBelongsToOneAtATime() {
    objects.call("acme", Counter::add);
    try (NamedObjects<Counter> others = builder().build()) {
      assertThatThrownBy(() -> others.call("acme", Counter::add))
          .isInstanceOfSatisfying(
              ObjectException.class, e -> assertThat(e.error()).isEqualTo(ObjectError.ELSEWHERE))
          .hasMessageStartingWith("WM2501: ");
      assertThat(others.openAll()).isEmpty();
      assertThat(others.open()).isEmpty();

      objects.close();

      assertThat(Counter.add(others, "acme")).isEqualTo(2);
    }
  }

  @Test
  void whatIsNoNameIsRefusedBeforeAnythingIsOpened() {
    for (String bad : List.of("", " ", " acme", "a\nb", "a\0b", "\ud800", "x".repeat(129))) {
      assertThatThrownBy(() -> objects.get(bad))
          .isInstanceOf(OptionException.class)
          .hasMessageStartingWith("WM1120: the name of an object cannot be ");
    }
    assertThatThrownBy(() -> objects.get("acme", ""))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: the placement hint cannot be ");
    assertThat(objects.names()).isEmpty();
  }

  @Test
  void whateverComesTogetherAnObjectIsOpenOnceAndNeverUsedWhenItIsClosed() throws Exception {
    SeededRandom random = SeededRandom.create();
    open(builder().maxOpen(3).idleAfter(Duration.ofSeconds(10)));
    Map<String, AtomicInteger> added = new ConcurrentHashMap<>();
    List<Callable<Void>> users = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      SeededRandom own = random.split();
      users.add(
          () -> {
            for (int step = 0; step < 60; step++) {
              String name = "shard-" + own.nextInt(5);
              try {
                objects.call(name, Counter::add);
                added.computeIfAbsent(name, unused -> new AtomicInteger()).incrementAndGet();
              } catch (ObjectException e) {
                assertThat(e.error()).isEqualTo(ObjectError.TOO_MANY);
              }
              ticker.advance(Duration.ofSeconds(own.nextInt(4)));
              if (own.nextInt(5) == 0) {
                objects.sweep();
              }
              assertThat(objects.open().size()).isLessThanOrEqualTo(3);
            }
            return null;
          });
    }

    for (Future<Void> each : threads.invokeAll(users)) {
      each.get();
    }

    Map<String, Long> stored =
        objects.names().stream()
            .collect(Collectors.toMap(name -> name, name -> objects.call(name, Counter::value)));
    assertThat(added).as("%s", random).isNotEmpty();
    added.forEach(
        (name, count) ->
            assertThat(stored).as("%s", random).containsEntry(name, count.longValue()));
  }

  @Test
  void noThreadIsLeftWhenTheyAreClosed() {
    objects.call("acme", Counter::add);

    objects.close();

    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.matches("waymark-(objects|store).*")));
    objects.close();
  }
}
