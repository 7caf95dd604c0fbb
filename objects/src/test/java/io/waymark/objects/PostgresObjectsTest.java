package io.waymark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.waymark.durable.Channel;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.Fanout;
import io.waymark.durable.FanoutHandler;
import io.waymark.durable.FanoutMessage;
import io.waymark.durable.Outbox;
import io.waymark.durable.Receipt;
import io.waymark.durable.StoreError;
import io.waymark.testing.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresObjectsTest extends ObjectsContract {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final DatabaseStores database = new DatabaseStores();
  private final List<NamedObjects<?>> opened = new ArrayList<>();
  private final Counter.Watch watch = new Counter.Watch();

  @Override
  Stores stores() {
    return new DatabaseStores();
  }

  /** Objects as another process would have them, whose leases end when the test says so. */
  private NamedObjects<Counter> process() {
    return process(LEASE);
  }

  private NamedObjects<Counter> process(Duration lease) {
    NamedObjects<Counter> objects =
        database
            .objects(context -> new Counter(context, watch))
            .lease(lease)
            .clock(database.clock())
            .build();
    opened.add(objects);
    return objects;
  }

  @AfterEach
  void closeAll() {
    opened.forEach(NamedObjects::close);
    database.close();
  }

  private String row(String column) {
    return DatabaseStores.value(
        "SELECT " + column + " FROM " + database.schema() + ".waymark_object WHERE name = 'acme'");
  }

  @Test
  void aNameIsTakenOverWhenItsLeaseIsOver() {
    NamedObjects<Counter> first = process();
    first.standStill();
    NamedObjects<Counter> second = process();
    first.call("acme", Counter::add);
    database.pass(LEASE.minusMillis(1));
    assertThatThrownBy(() -> second.call("acme", Counter::add))
        .isInstanceOf(ObjectException.class)
        .hasMessage("WM2501: another process has the lease of acme for 1 ms and may renew it");

    database.pass(Duration.ofMillis(1));

    assertThat(Counter.add(second, "acme")).isEqualTo(2);
    assertThat(row("fence")).isEqualTo("2");
  }

  @Test
  void aLeaseThatIsRenewedIsNotTakenOver() {
    NamedObjects<Counter> first = process();
    first.standStill();
    NamedObjects<Counter> second = process();
    first.call("acme", Counter::add);

    for (int i = 0; i < 5; i++) {
      database.pass(LEASE.minusSeconds(1));
      first.renewLeases();
    }

    assertThatThrownBy(() -> second.call("acme", Counter::add))
        .isInstanceOf(ObjectException.class)
        .hasMessageStartingWith("WM2501: ");
    assertThat(row("fence")).isEqualTo("1");
  }

  @Test
  void leasesAreRenewedByThemselves() {
    NamedObjects<Counter> first = process(Duration.ofMillis(300));
    first.call("acme", Counter::add);
    long until = Long.parseLong(row("leased_until"));

    database.pass(Duration.ofMillis(250));

    await()
        .untilAsserted(
            () -> assertThat(Long.parseLong(row("leased_until"))).isEqualTo(until + 250_000));
  }

  @Test
  void aFenceRisesWithEveryOwnerAndNeverFalls() {
    for (int i = 1; i <= 4; i++) {
      try (NamedObjects<Counter> objects = process()) {
        assertThat(Counter.add(objects, "acme")).isEqualTo(i);
      }
      assertThat(row("fence")).isEqualTo(String.valueOf(i));
      assertThat(row("owner")).isNull();
    }
  }

  @Test
  void whoLostANameCommitsNothingAnyMore() throws Exception {
    NamedObjects<Counter> stale = process();
    stale.standStill();
    NamedObjects<Counter> next = process();
    CountDownLatch paused = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<Long> call =
          threads.submit(
              () ->
                  stale.<Long, InterruptedException>call(
                      "acme",
                      counter -> {
                        counter.add();
                        paused.countDown();
                        goOn.await(); // minutes pass
                        return counter.add();
                      }));
      assertThat(paused.await(30, TimeUnit.SECONDS)).isTrue();
      database.pass(Duration.ofMinutes(5));
      assertThat(Counter.add(next, "acme")).isEqualTo(2);

      goOn.countDown();

      assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              DurableStoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.FENCED));
    } finally {
      threads.shutdownNow();
    }
    assertThat(Counter.value(next, "acme")).isEqualTo(2);
    assertThatThrownBy(() -> stale.call("acme", Counter::add))
        .isInstanceOf(ObjectException.class)
        .hasMessageStartingWith("WM2501: another process has the lease of acme");
    assertThat(stale.open()).isEmpty();
  }

  @Test
  void whoStandsStillInATransactionLosesItAndHoldsUpNobodyForLonger() throws Exception {
    Duration lease = Duration.ofMillis(500); // the server counts this one itself
    NamedObjects<Counter> stale = process(lease);
    stale.standStill();
    NamedObjects<Counter> next = process(lease);
    CountDownLatch paused = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<Object> call =
          threads.submit(
              () ->
                  stale.call(
                      "acme",
                      counter ->
                          counter
                              .context
                              .store()
                              .inTransaction(
                                  tx -> {
                                    counter.add(tx.unwrap(Handle.class));
                                    paused.countDown();
                                    goOn.await();
                                    return counter;
                                  })));
      assertThat(paused.await(30, TimeUnit.SECONDS)).isTrue();
      database.pass(Duration.ofMinutes(5));

      assertThat(Counter.add(next, "acme")).isEqualTo(1);

      goOn.countDown();
      assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(DurableStoreException.class);
    } finally {
      threads.shutdownNow();
    }
    assertThat(Counter.value(next, "acme")).isEqualTo(1);
  }

  /** An object whose store delivers by itself. */
  private record Mail(Outbox outbox, DurableStore store) implements AutoCloseable {
    static final Channel<String> LETTERS = Channel.of("letters", String.class);

    static Mail open(ObjectContext context, AtomicInteger delivered) {
      return new Mail(
          Outbox.builder(context.store())
              .deliver(
                  LETTERS,
                  delivery -> {
                    delivered.incrementAndGet();
                    return Receipt.delivered();
                  })
              .build(),
          context.store());
    }

    void stage(String key) {
      store.inTransaction(tx -> outbox.stage(tx, LETTERS.item(key, "dear " + key)));
    }

    @Override
    public void close() {
      outbox.close();
    }
  }

  private NamedObjects<Mail> mails(AtomicInteger delivered) {
    NamedObjects<Mail> objects =
        database
            .objects(context -> Mail.open(context, delivered))
            .lease(LEASE)
            .clock(database.clock())
            .build();
    opened.add(objects);
    return objects;
  }

  @Test
  void whatAStoreDoesByItselfIsFencedToo() {
    AtomicInteger deliveredByOld = new AtomicInteger();
    AtomicInteger delivered = new AtomicInteger();
    NamedObjects<Mail> stale = mails(deliveredByOld);
    stale.standStill();
    Mail old = stale.<Mail, RuntimeException>call("acme", mail -> mail);
    database.pass(Duration.ofMinutes(5));
    Mail current = mails(delivered).<Mail, RuntimeException>call("acme", mail -> mail);
    current.outbox().pause();
    current.stage("ann");

    assertThatThrownBy(() -> old.stage("bob")).satisfies(PostgresObjectsTest::isFenced);
    assertThatThrownBy(() -> old.outbox().find(Mail.LETTERS, "ann"))
        .satisfies(PostgresObjectsTest::isFenced);
    old.outbox().resume(); // it would claim what is due

    current.outbox().resume();
    await().untilAsserted(() -> assertThat(delivered).hasValue(1));
    assertThat(deliveredByOld).hasValue(0);
    assertThat(current.outbox().find(Mail.LETTERS, "bob")).isEmpty();
  }

  @Test
  void whatTheOwnerBeforeWasDeliveringIsDueAtOnceForTheNext() {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicBoolean begun = new AtomicBoolean();
    NamedObjects<Fanout<String>> stale =
        fanouts(
            batch -> {
              begun.set(true);
              hanging.await();
            });
    stale.standStill();
    stale.call("acme", fanout -> fanout.accept(FanoutMessage.of("1", "hello")));
    AtomicInteger delivered = new AtomicInteger();
    try {
      await().until(begun::get);
      database.pass(Duration.ofMinutes(5));

      NamedObjects<Fanout<String>> next = fanouts(batch -> delivered.incrementAndGet());
      next.call("acme", Fanout::load);

      // A claim would be waited for as long as an attempt may take, and ten seconds more.
      await().untilAsserted(() -> assertThat(delivered).hasValue(1));
    } finally {
      hanging.countDown();
    }
  }

  private NamedObjects<Fanout<String>> fanouts(FanoutHandler<String> handler) {
    NamedObjects<Fanout<String>> objects =
        database
            .<Fanout<String>>objects(
                context ->
                    Fanout.builder(context.store(), "letters", String.class)
                        .deliver("consumer", handler, options -> options.ackOnReturn())
                        .build())
            .lease(LEASE)
            .clock(database.clock())
            .build();
    opened.add(objects);
    return objects;
  }

  private static void isFenced(Throwable e) {
    assertThat(e)
        .isInstanceOfSatisfying(
            DurableStoreException.class,
            failure -> assertThat(failure.error()).isEqualTo(StoreError.FENCED));
  }

  @Test
  void aProcessThatIsStoppedForAWhileDoesNoHarmWhenItGoesOn() throws Exception {
    try (OtherProcess other = OtherProcess.start(database);
        NamedObjects<Counter> next =
            database
                .objects(context -> new Counter(context, new Counter.Watch()))
                .lease(OtherProcess.LEASE)
                .build()) {
      assertThat(other.ask("add")).isEqualTo("1");
      assertThat(other.ask("add")).isEqualTo("2");
      assertThatThrownBy(() -> next.call("acme", Counter::add)).isInstanceOf(ObjectException.class);

      other.stop();
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(Counter.add(next, "acme")).isEqualTo(3));
      other.goOn();

      assertThat(other.ask("add")).startsWith("WM2");
      assertThat(other.ask("add")).startsWith("WM2501");
      assertThat(Counter.value(next, "acme")).isEqualTo(3);
    }
  }

  /** Owners that renew nothing, and a clock that runs: each loses the name again and again. */
  @Test
  void whatOwnersAcknowledgedIsThereOnceHoweverTheyTakeOverFromEachOther() throws Exception {
    SeededRandom random = SeededRandom.create();
    Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> owners = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        NamedObjects<Counter> objects = process();
        objects.standStill();
        SeededRandom own = random.split();
        owners.add(
            threads.submit(
                () -> {
                  for (int step = 0; step < 60; step++) {
                    addSome(objects, own, acknowledged);
                  }
                  return acknowledged;
                }));
      }
      while (!owners.stream().allMatch(Future::isDone)) {
        database.pass(Duration.ofMillis(random.nextInt((int) LEASE.toMillis())));
      }
      for (Future<?> each : owners) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    database.pass(LEASE);
    assertThat(Counter.value(process(), "acme")).as("%s", random).isEqualTo(acknowledged.size());
    assertThat(Integer.parseInt(row("fence"))).as("%s", random).isGreaterThan(3);
  }

  private static void addSome(
      NamedObjects<Counter> objects, SeededRandom random, Set<Long> acknowledged) {
    try {
      objects.call(
          "acme",
          counter -> {
            for (int left = random.nextInt(4); left >= 0; left--) {
              assertThat(acknowledged.add(counter.add())).isTrue();
            }
            return counter;
          });
    } catch (ObjectException e) { // somebody else has it, or took it while it was opened
      assertThat(e.error()).isIn(ObjectError.ELSEWHERE, ObjectError.NOT_OPENED);
    } catch (DurableStoreException e) {
      isFenced(e);
    }
  }

  @Test
  void namesOfDifferentCollectionsAreDifferentObjects() {
    process().call("acme", Counter::add);
    try (NamedObjects<Counter> others =
        NamedObjects.<Counter>postgres(
                database.source, "others", context -> new Counter(context, new Counter.Watch()))
            .inSchema(database.schema())
            .build()) {
      assertThat(others.names()).isEmpty();
      assertThat(Counter.add(others, "acme")).isEqualTo(1);
    }
  }

  @Test
  void aRoleThatMayNotMakeSchemasUsesNamesThatExist() {
    process().call("acme", Counter::add);
    opened.forEach(NamedObjects::close);
    String role = "role_" + database.schema();
    String own = row("own_schema");
    DatabaseStores.execute("CREATE ROLE " + role + " LOGIN");
    for (String schema : List.of(database.schema(), own)) {
      DatabaseStores.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
      DatabaseStores.execute(
          "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + role);
      DatabaseStores.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + role);
    }
    try (HikariDataSource source = database.source(role);
        NamedObjects<String> objects =
            NamedObjects.<String>postgres(source, "counters", ObjectContext::name)
                .inSchema(database.schema())
                .build()) {
      assertThat(objects.<String, RuntimeException>call("acme", name -> name)).isEqualTo("acme");
      assertThatThrownBy(() -> objects.call("new", name -> name))
          .isInstanceOf(ObjectException.class)
          .hasMessageStartingWith("WM2504: new could not be opened: ");
    }
  }
}
