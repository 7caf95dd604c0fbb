package io.waymark.topology.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.SeededRandom;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.Members;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotListener;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.Stamp;
import io.waymark.topology.Tombstone;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import io.waymark.topology.UnavailableReason;
import io.waymark.topology.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of a store that compares stamps. A subclass gives new readers and publishers of one
 * store; what they hold at the start of a test does not matter, since each test has groups of its
 * own.
 */
public abstract class StoreContract {
  private static final AtomicInteger NAMES = new AtomicInteger();

  /** Distinct from those of tests that ran before, also in other processes. */
  protected final String group =
      "contract-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** A new reader of the store under test. */
  protected abstract SnapshotReader reader();

  /** A new publisher into the store under test. */
  protected abstract SnapshotPublisher publisher();

  /** Stores text under a group's key, as something else than Waymark might. */
  protected abstract void scribble(String group, String text) throws Exception;

  /** Removes a group, as a store that forgot it. */
  protected abstract void forget(String group) throws Exception;

  /** Says something on the channel of changes, as something else than Waymark might. */
  protected void whisper(String message) throws Exception {}

  /** Within what time a change has to be pushed, generously: the machine may be busy. */
  protected Duration pushWithin() {
    return Duration.ofSeconds(5);
  }

  /** How many groups tests of many groups write: more than one page of the store's. */
  protected int manyGroups() {
    return 1_200;
  }

  /** Closes what was opened. */
  @AfterEach
  public void closeAll() throws Exception {
    Collections.reverse(opened);
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  /** A reader that is closed after the test. */
  protected final SnapshotReader openReader() {
    return keep(reader());
  }

  /** A publisher that is closed after the test. */
  protected final SnapshotPublisher openPublisher() {
    return keep(publisher());
  }

  /** Closes this after the test. */
  protected final <C extends AutoCloseable> C keep(C each) {
    opened.add(each);
    return each;
  }

  /** What a reader finds. */
  protected static Optional<String> text(SnapshotReader reader, String group) throws Exception {
    return reader.read(group).toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** What is stored, decoded. */
  protected static Published stored(SnapshotReader reader, String group) throws Exception {
    return SnapshotCodec.decode(group, text(reader, group).orElseThrow());
  }

  /** A snapshot of this test's group. */
  protected final GroupSnapshot snapshot(String stamp) {
    return new GroupSnapshot(
        group, Stamp.parse(stamp), List.of(Member.active("m").with("of", stamp)));
  }

  private Tombstone tombstone(String stamp) {
    return new Tombstone(group, Stamp.parse(stamp));
  }

  /** A listener that keeps what it is told. */
  public static final class Heard implements SnapshotListener {
    /** The stamps that were told of each group. */
    public final Map<String, List<Optional<Stamp>>> changes =
        Collections.synchronizedMap(new HashMap<>());

    /** How often the push began. */
    public final AtomicInteger beginnings = new AtomicInteger();

    /** Why it was interrupted. */
    public final List<String> interruptions = new CopyOnWriteArrayList<>();

    @Override
    public void changed(String group, @Nullable Stamp stamp) {
      changes
          .computeIfAbsent(group, name -> new CopyOnWriteArrayList<>())
          .add(Optional.ofNullable(stamp));
    }

    @Override
    public void listening() {
      beginnings.incrementAndGet();
    }

    @Override
    public void interrupted(String why) {
      interruptions.add(why);
    }

    /** The stamps that were told of this group. */
    public List<Optional<Stamp>> of(String group) {
      return changes.getOrDefault(group, List.of());
    }

    /** Whether this group was told to have changed. */
    public boolean has(String group) {
      return changes.containsKey(group);
    }
  }

  @Test
  void whatIsWrittenIsReadAsItWasEncoded() throws Exception {
    SnapshotReader reader = openReader();
    assertThat(text(reader, group)).isEmpty();

    assertThat(openPublisher().write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());

    assertThat(text(reader, group)).contains(SnapshotCodec.encode(snapshot("1.1@a")));
  }

  @Test
  void aNewerOneTakesThePlaceOfAnOlderOne() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    SnapshotReader reader = openReader();
    for (String stamp : List.of("1.1@a", "1.2@a", "1.10@a", "2.0@a", "10.1@a")) {
      assertThat(publisher.write(snapshot(stamp))).isEqualTo(WriteOutcome.applied());
      assertThat(stored(reader, group)).isEqualTo(snapshot(stamp));
    }
  }

  @Test
  void theLargestNumbersCompare() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    long most = Long.MAX_VALUE;
    publisher.write(snapshot("1." + (most - 1) + "@a"));

    assertThat(publisher.write(snapshot("1." + most + "@a")).isApplied()).isTrue();
    assertThat(publisher.write(snapshot("1." + (most - 1) + "@a")).isApplied()).isFalse();
    assertThat(publisher.write(snapshot(most + ".0@a")).isApplied()).isTrue();
    assertThat(publisher.write(snapshot((most - 1) + "." + most + "@a")).isApplied()).isFalse();
  }

  @Test
  void anOlderOneIsSupersededAndToldByWhat() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("2.5@a"));

    for (String stamp : List.of("2.4@a", "1.9@a", "0.0@a")) {
      assertThat(publisher.write(snapshot(stamp)))
          .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("2.5@a")));
      assertThat(publisher.write(tombstone(stamp)))
          .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("2.5@a")));
    }
    assertThat(stored(openReader(), group)).isEqualTo(snapshot("2.5@a"));
  }

  @Test
  void whatIsThereAlreadyCountsAsWritten() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));

    assertThat(publisher.write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());
  }

  @Test
  void aNumberThatWasIssuedTwiceIsFoundOut() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    GroupSnapshot other =
        new GroupSnapshot(group, Stamp.parse("1.1@a"), List.of(Member.active("other")));

    assertThat(publisher.write(other)).isEqualTo(new WriteOutcome.Superseded(Stamp.parse("1.1@a")));
    assertThat(publisher.write(tombstone("1.1@a")))
        .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("1.1@a")));
    assertThat(stored(openReader(), group)).isEqualTo(snapshot("1.1@a"));
  }

  @Test
  void anotherAuthoritysIsNotReplacedWhateverTheNumbersAre() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));

    assertThat(publisher.write(snapshot("9.9@b")))
        .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("1.1@a")));
    assertThat(stored(openReader(), group)).isEqualTo(snapshot("1.1@a"));
  }

  @Test
  void aGroupIsTakenOverFromExactlyWhatWasFound() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("5.5@a"));

    assertThat(publisher.replace(Stamp.parse("5.4@a"), snapshot("1.1@b")))
        .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("5.5@a")));
    assertThat(publisher.replace(Stamp.parse("5.5@a"), snapshot("1.1@b")))
        .isEqualTo(WriteOutcome.applied());
    assertThat(stored(openReader(), group)).isEqualTo(snapshot("1.1@b"));

    // what the one before had under way does not come back, and the new one goes on
    assertThat(publisher.write(snapshot("5.6@a")))
        .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("1.1@b")));
    assertThat(publisher.write(snapshot("1.2@b"))).isEqualTo(WriteOutcome.applied());
    assertThat(publisher.replace(Stamp.parse("1.2@b"), tombstone("6.1@a")))
        .isEqualTo(WriteOutcome.applied());
  }

  @Test
  void nothingIsTakenOverFromOneself() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.5@a"));

    assertThatThrownBy(() -> publisher.replace(Stamp.parse("1.5@a"), snapshot("1.4@a")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTakeOverOfWhatIsNotThereIsAWrite() throws Exception {
    SnapshotPublisher publisher = openPublisher();

    assertThat(publisher.replace(Stamp.parse("5.5@a"), snapshot("1.1@b")))
        .isEqualTo(WriteOutcome.applied());
    assertThat(publisher.replace(Stamp.parse("5.5@a"), snapshot("1.2@b")))
        .isEqualTo(WriteOutcome.applied());
  }

  @Test
  void aDeletedGroupStaysDeletedForWhatIsOlderAndNotForWhatIsNewer() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    SnapshotReader reader = openReader();
    publisher.write(snapshot("1.1@a"));

    assertThat(publisher.write(tombstone("1.3@a"))).isEqualTo(WriteOutcome.applied());
    assertThat(publisher.write(snapshot("1.2@a")))
        .isEqualTo(new WriteOutcome.Superseded(Stamp.parse("1.3@a")));
    assertThat(stored(reader, group)).isEqualTo(tombstone("1.3@a"));

    assertThat(publisher.write(snapshot("1.4@a"))).isEqualTo(WriteOutcome.applied());
    assertThat(stored(reader, group)).isEqualTo(snapshot("1.4@a"));
  }

  @Test
  protected void whatIsNoSnapshotIsWrittenOver() throws Exception {
    scribble(group, "not a snapshot");
    SnapshotReader reader = openReader();
    assertThat(text(reader, group)).contains("not a snapshot");

    assertThat(openPublisher().write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());

    assertThat(stored(reader, group)).isEqualTo(snapshot("1.1@a"));
  }

  @Test
  void whatIsTooLargeIsReadInBoundsAndRefused() throws Exception {
    String large =
        "{\"group\":\"%s\",\"authority\":\"x\",\"epoch\":1,\"version\":1,\"pad\":\"%s\"}"
            .formatted(group, "x".repeat(SnapshotCodec.LONGEST));
    scribble(group, large);
    TopologyClient client =
        keep(TopologyClient.builder(reader()).readTimeout(Duration.ofSeconds(30)).build());

    assertThatThrownBy(() -> client.get(group))
        .isInstanceOfSatisfying(
            TopologyUnavailableException.class,
            e -> assertThat(e.reason()).isEqualTo(UnavailableReason.INVALID))
        .hasStackTraceContaining("longer than");
  }

  @Test
  void whatOthersSayOnTheChannelDisturbsNothing() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient client = keep(TopologyClient.builder(reader()).ttl(Duration.ofHours(1)).build());
    await().until(() -> client.inspect(group).silent().isEmpty());
    assertThat(client.get(group)).isEqualTo(snapshot("1.1@a"));

    for (String message :
        List.of("", "\n", group, group + "\nnewest", "\n1.2@a", "x".repeat(7_000), "a\rb\n")) {
      whisper(message);
    }
    whisper(group + "\n9.9@a"); // never written
    publisher.write(snapshot("1.2@a"));

    await().atMost(pushWithin()).until(() -> client.get(group).equals(snapshot("1.2@a")));
  }

  @Test
  void whatWasForgottenIsMissingInASweepAndIsServedAgainOnceItIsWrittenAgain() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    SnapshotReader reader = openReader();
    publisher.write(snapshot("1.1@a"));
    TopologyClient client = keep(TopologyClient.builder(reader()).ttl(Duration.ofHours(1)).build());
    await().until(() -> client.inspect(group).silent().isEmpty());
    client.get(group);

    forget(group);

    assertThat(text(reader, group)).isEmpty();
    Set<String> swept = new HashSet<>();
    publisher.sweep((name, stamp) -> swept.add(name));
    assertThat(swept).doesNotContain(group);
    assertThat(publisher.write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());
    await()
        .atMost(pushWithin())
        .ignoreExceptionsInstanceOf(TopologyUnavailableException.class)
        .until(() -> client.get(group).equals(snapshot("1.1@a")));
    assertThat(stored(reader, group)).isEqualTo(snapshot("1.1@a"));
  }

  @Test
  void writersThatRaceLeaveTheNewestAndNoReaderGoesBack() throws Exception {
    SeededRandom random = SeededRandom.create();
    int writers = 6;
    List<List<Stamp>> shares = new ArrayList<>();
    List<Stamp> all = new ArrayList<>();
    for (int version = 0; version < 120; version++) {
      all.add(new Stamp("a", random.nextInt(1, 4), version));
    }
    List<Stamp> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, new java.util.Random(random.nextLong()));
    for (int i = 0; i < writers; i++) {
      shares.add(shuffled.subList(i * 120 / writers, (i + 1) * 120 / writers));
    }
    Stamp newest =
        all.stream().reduce((one, other) -> one.isNewerThan(other) ? one : other).orElseThrow();
    AtomicBoolean writing = new AtomicBoolean(true);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      SnapshotReader reader = openReader();
      Future<Integer> regressions = threads.submit(() -> regressions(reader, writing));
      List<Future<Integer>> running = new ArrayList<>();
      for (List<Stamp> share : shares) {
        SnapshotPublisher publisher = openPublisher();
        running.add(threads.submit(() -> write(publisher, share)));
      }
      int applied = 0;
      for (Future<Integer> one : running) {
        applied += one.get(60, TimeUnit.SECONDS);
      }
      writing.set(false);

      assertThat(applied).as("%s", random).isBetween(1, 120);
      assertThat(stored(reader, group).stamp()).as("%s", random).isEqualTo(newest);
      assertThat(regressions.get(60, TimeUnit.SECONDS)).as("%s", random).isZero();
    } finally {
      writing.set(false);
      threads.shutdownNow();
    }
  }

  private int write(SnapshotPublisher publisher, List<Stamp> share) {
    int applied = 0;
    for (Stamp stamp : share) {
      WriteOutcome outcome =
          publisher.write(new GroupSnapshot(group, stamp, Members.numbered("m", 1)));
      assertThat(outcome.isSettled()).as("%s", outcome).isTrue();
      if (outcome instanceof WriteOutcome.Superseded superseded) {
        assertThat(superseded.found().isNewerThan(stamp)).isTrue();
      } else {
        assertThat(outcome).isEqualTo(WriteOutcome.applied());
        applied++;
      }
    }
    return applied;
  }

  private int regressions(SnapshotReader reader, AtomicBoolean writing) throws Exception {
    int regressions = 0;
    Stamp before = null;
    while (writing.get()) {
      Optional<String> text = text(reader, group);
      if (text.isEmpty()) {
        regressions += before == null ? 0 : 1;
        continue;
      }
      Stamp now = SnapshotCodec.decode(group, text.get()).stamp();
      if (before != null && before.isNewerThan(now)) {
        regressions++;
      }
      before = now;
    }
    return regressions;
  }

  @Test
  void groupsOfAllKindsOfNamesAreKeptApart() throws Exception {
    List<String> names =
        List.of(
            group,
            group.toUpperCase(java.util.Locale.ROOT),
            group + "/..",
            group + "/../x",
            group + " x",
            group + ":*?",
            group + "%2f",
            group + "'\"\\",
            group + "{x}",
            group + "äß漢😀",
            group + "漢".repeat(128 - group.length()),
            group + "x".repeat(128 - group.length()),
            group + "x".repeat(127 - group.length()) + "y");
    SnapshotPublisher publisher = openPublisher();
    SnapshotReader reader = openReader();
    for (String name : names) {
      publisher.write(new GroupSnapshot(name, Stamp.parse("1.1@a"), Members.numbered("m", 1)));
    }
    for (String name : names) {
      assertThat(stored(reader, name).group()).isEqualTo(name);
    }
  }

  @Test
  void aLargeGroupIsKept() throws Exception {
    List<Member> members = new ArrayList<>();
    for (Member member : Members.numbered("member", 8_000)) {
      members.add(member.with("e", "x".repeat(60)));
    }
    GroupSnapshot large = new GroupSnapshot(group, Stamp.parse("1.1@a"), members);

    assertThat(openPublisher().write(large)).isEqualTo(WriteOutcome.applied());

    assertThat(stored(openReader(), group)).isEqualTo(large);
  }

  @Test
  void aSweepTellsAllThatIsStored() {
    SnapshotPublisher publisher = openPublisher();
    assertThat(publisher.comparesStamps()).isTrue();
    assertThat(publisher.canSweep()).isTrue();
    Map<String, Stamp> written = new HashMap<>();
    for (int i = 0; i < manyGroups(); i++) {
      Stamp stamp = new Stamp("a", 1, i);
      String name = group + "-" + i;
      Published published =
          i % 3 == 0
              ? new Tombstone(name, stamp)
              : new GroupSnapshot(name, stamp, Members.numbered("m", 1));
      publisher.write(published);
      written.put(name, stamp);
    }
    Map<String, Stamp> swept = new HashMap<>();

    publisher.sweep(swept::put);

    assertThat(swept).containsAllEntriesOf(written);
  }

  @Test
  void aChangeIsPushed() {
    Heard heard = new Heard();
    openReader().watch(heard);
    await().until(() -> heard.beginnings.get() == 1);
    SnapshotPublisher publisher = openPublisher();

    publisher.write(snapshot("1.1@a"));

    await().atMost(pushWithin()).until(() -> heard.has(group));
    publisher.write(snapshot("1.2@a"));
    await()
        .atMost(pushWithin())
        .until(
            () ->
                heard.of(group).stream()
                    .anyMatch(stamp -> stamp.isEmpty() || stamp.get().version() == 2));
    assertThat(heard.interruptions).isEmpty();
  }

  @Test
  void everyChangeOfManyIsPushed() {
    Heard heard = new Heard();
    openReader().watch(heard);
    await().until(() -> heard.beginnings.get() == 1);
    SnapshotPublisher publisher = openPublisher();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < manyGroups(); i++) {
      String name = group + "-" + i;
      names.add(name);
      publisher.write(new GroupSnapshot(name, Stamp.parse("1.1@a"), Members.numbered("m", 1)));
    }

    // whoever missed some would have been told that the push began again
    await()
        .atMost(pushWithin())
        .until(() -> heard.changes.keySet().containsAll(names) || heard.beginnings.get() > 1);
  }

  @Test
  void aClientSeesAChangeLongBeforeItsSnapshotExpires() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient client = keep(TopologyClient.builder(reader()).ttl(Duration.ofHours(1)).build());
    await().until(() -> client.inspect(group).silent().isEmpty());
    assertThat(client.get(group)).isEqualTo(snapshot("1.1@a"));

    publisher.write(snapshot("1.2@a"));

    await().atMost(pushWithin()).until(() -> client.get(group).equals(snapshot("1.2@a")));
  }

  @Test
  void whatIsClosedAnswersNoMore() {
    SnapshotReader reader = reader();
    reader.watch(new Heard());
    reader.close();
    reader.close();
    SnapshotPublisher publisher = publisher();
    publisher.close();
    publisher.close();

    Callable<Optional<String>> read = () -> text(reader, group);
    assertThatThrownBy(read::call).isInstanceOf(Exception.class);
  }
}
