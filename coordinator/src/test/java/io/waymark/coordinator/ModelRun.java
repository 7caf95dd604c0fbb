package io.waymark.coordinator;

import static org.awaitility.Awaitility.await;

import io.waymark.coordinator.GroupContent.Edit;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.StoreError;
import io.waymark.durable.StoreTime;
import io.waymark.testing.SeededRandom;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.Published;
import io.waymark.topology.Stamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One random history of coordinators, their database, the store of snapshots, members and readers,
 * beside a map that says what must be. The steps follow from the seed; what threads do meanwhile
 * does not.
 */
final class ModelRun implements AutoCloseable {
  private static final List<String> GROUPS = List.of("a", "b", "c");
  private static final Duration LANDS_FOR = Duration.ofMinutes(5);
  private static final Duration FOR_EVER = Duration.ofDays(10_000);
  private static final Duration LONG = Duration.ofMinutes(6);
  private static final Duration LEASE = ModelProcess.ATTEMPT_TIMEOUT.plusSeconds(10);
  private static final int MOST_ROUNDS = 60;
  private static final long ROUND_MILLIS = 250;

  /** What the model knows: what was acknowledged, or was found to be committed. */
  private static final class Known {
    GroupContent content = GroupContent.NONE;
    long version;
    boolean ever;

    Known copy() {
      Known copy = new Known();
      copy.content = content;
      copy.version = version;
      copy.ever = ever;
      return copy;
    }
  }

  private record Kept(ModelDatabase.Copy copy, Map<String, Known> model) {}

  /** A process that stands still, perhaps in the middle of an update. */
  private record Paused(
      ModelProcess process,
      String group,
      Edit edit,
      Future<UpdateResult> result,
      Progress progress) {

    /** Whether what it answers speaks of what was there before it paused, not of what is now. */
    boolean isOver(UpdateResult answer) {
      return progress == Progress.COMMITTED || (progress == Progress.NOTHING && !answer.changed());
    }
  }

  /** How far an update that stands still had come, as far as can be seen. */
  private enum Progress {
    UNDER_WAY,
    /** There is nothing to change, and nobody sees whether it has looked. */
    NOTHING,
    COMMITTED
  }

  private final SeededRandom dice;
  private final ModelDatabase database;
  private final Shelf shelf;
  private final StoreTime time = new StoreTime();
  private final Mishaps mishaps;
  private final Receivers receivers = new Receivers();
  private final List<ModelProcess> processes = new ArrayList<>();
  private final List<ModelReader> readers = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> journal = new ArrayList<>();

  private final Map<String, Known> model = new TreeMap<>();
  private final Map<String, Stamp> newest = new HashMap<>();

  /** What the store forgot, which nobody may have noticed yet. */
  private final Set<String> forgotten = new HashSet<>();

  private final List<Kept> copies = new ArrayList<>();
  private @Nullable Paused paused;
  private int numbers;

  /** Whether the database lost something, and has not raised its epoch yet. */
  private boolean unraised;

  ModelRun(SeededRandom dice, ModelDatabase database, Shelf shelf) {
    this.dice = dice;
    this.database = database;
    this.shelf = shelf;
    this.mishaps = new Mishaps(dice.split(), time, shelf.compares() ? FOR_EVER : LANDS_FOR);
    GROUPS.forEach(group -> model.put(group, new Known()));
    for (int i = 0; i < database.processes(); i++) {
      processes.add(new ModelProcess(i, database, shelf, mishaps, receivers, time));
    }
    readers.add(new ModelReader(shelf.reader(), time, 1));
    readers.add(new ModelReader(shelf.reader(), time, 100));
  }

  String journal() {
    return String.join("\n  ", journal);
  }

  // ---- the steps -------------------------------------------------------------------------------

  void live(int steps) throws Exception {
    for (int i = 0; i < steps; i++) {
      step();
      readers.get(dice.nextInt(readers.size())).read(group());
    }
    settle();
  }

  private void step() throws Exception {
    int chance = dice.nextInt(100);
    if (chance < 38) {
      change();
    } else if (chance < 45) {
      int percent = dice.nextInt(3) * 35;
      say("of 100 calls " + percent + " go wrong");
      mishaps.percent(percent);
    } else if (chance < 56) {
      say(mishaps.settleOne(dice));
    } else if (chance < 62) {
      advance(Duration.ofMillis(100 + dice.nextInt(20_000)));
    } else if (chance < 66) {
      advance(LONG);
    } else if (chance < 71) {
      forget();
    } else if (chance < 77) {
      end();
    } else if (chance < 83) {
      pauseOrWake();
    } else if (chance < 91) {
      keep();
    } else if (chance < 98) {
      lose();
    } else {
      raise();
    }
  }

  private void say(String what) {
    journal.add(what);
  }

  private String group() {
    return GROUPS.get(dice.nextInt(GROUPS.size()));
  }

  /** One that runs. */
  private ModelProcess running() {
    List<ModelProcess> some = new ArrayList<>(processes);
    if (paused != null) {
      some.remove(paused.process());
    }
    return some.get(dice.nextInt(some.size()));
  }

  private Known known(String group) {
    return Objects.requireNonNull(model.get(group));
  }

  private Edit edit(String group) {
    return dice.nextInt(8) == 0
        ? new Edit("delete", now -> GroupContent.NONE)
        : GroupContent.edit(group, ++numbers, ModelProcess.CHANNELS, dice);
  }

  private static UpdateResult run(ModelProcess process, String group, Edit edit) {
    return edit.text().equals("delete")
        ? process.topology.delete(group)
        : process.update(group, edit);
  }

  private void change() throws Exception {
    if (isBlocked()) {
      wake();
    }
    change(running(), group());
  }

  private void change(ModelProcess process, String group) {
    Edit edit = edit(group);
    say("process " + process.number() + ", group " + group + ": " + edit);
    try {
      committed(group, edit, run(process, group, edit));
    } catch (DurableStoreException | IllegalStateException e) {
      uncertain(process, group, edit, e);
    }
  }

  private void committed(String group, Edit edit, UpdateResult result) {
    boolean published = result.published();
    apply(group, edit, result);
    Stamp found = shelf.stored(group).map(Published::stamp).orElse(result.stamp());
    if (!result.stamp().isNewerThan(found)) {
      forgotten.remove(group);
    } else if (published && !forgotten.contains(group)) {
      throw new AssertionError(
          "group " + group + " is " + found + " though " + result + " says it is published");
    }
  }

  private void apply(String group, Edit edit, UpdateResult result) {
    Known known = known(group);
    GroupContent next = edit.change().apply(known.content);
    boolean changed = !next.equals(known.content);
    put(known, next);
    say("  -> " + result);
    if (result.changed() != changed || (known.ever && result.version() != known.version)) {
      throw new AssertionError(
          "group "
              + group
              + ": "
              + result
              + ", but the model is at version "
              + known.version
              + (changed ? " changed to " : " unchanged as ")
              + known.content);
    }
    issued(group, result.stamp());
    unraised = false;
  }

  private static void put(Known known, GroupContent next) {
    if (!next.members().equals(known.content.members())) {
      known.version++;
      known.ever = true;
    }
    known.content = next;
  }

  private void issued(String group, Stamp stamp) {
    newest.merge(group, stamp, (old, now) -> now.isNewerThan(old) ? now : old);
  }

  /** It failed, or nobody knows: it is all there, or nothing of it is. */
  private void uncertain(ModelProcess process, String group, Edit edit, RuntimeException why) {
    boolean dead = process.gate.isDead();
    say("  -> " + why);
    if (dead) {
      restart(process);
    }
    GroupContent before = known(group).content;
    GroupContent after = edit.change().apply(before);
    GroupContent now = running().read(group);
    boolean refused =
        !dead && why instanceof DurableStoreException e && e.error() == StoreError.FAILED;
    if (now.equals(after) && !refused) {
      put(known(group), after);
    } else if (!now.equals(before)) {
      throw new AssertionError(
          "group " + group + " is " + now + " after " + before + (refused ? " was kept" : ""), why);
    }
  }

  // ---- time ------------------------------------------------------------------------------------

  private void advance(Duration step) throws InterruptedException {
    say("after " + step);
    if (shelf.compares()) {
      time.advance(step);
      return;
    }
    Duration left = step;
    while (!left.isZero()) {
      Duration part = left.compareTo(Duration.ofMinutes(4)) < 0 ? left : Duration.ofMinutes(4);
      awaitNoWrite();
      mishaps.settleAll(dice, part);
      time.advance(part);
      left = left.minus(part);
    }
  }

  /** No write that is under way now may become older than writes do. */
  private void awaitNoWrite() throws InterruptedException {
    for (int leases = 0; leases < 5; leases++) {
      for (int i = 0; i < 100; i++) {
        if (!database.isPublishing() && processes.stream().noneMatch(ModelProcess::isWriting)) {
          return;
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
      time.advance(LEASE); // a process that died may have left a claim
    }
    throw new AssertionError("there is always a write under way");
  }

  // ---- what happens to the store of snapshots --------------------------------------------------

  private void forget() {
    if (!shelf.compares()) {
      return;
    }
    if (dice.nextInt(2) == 0) {
      say("the store forgets everything");
      forgotten.addAll(GROUPS);
      shelf.forget();
    } else {
      String group = group();
      say("the store forgets group " + group);
      forgotten.add(group);
      shelf.forget(group);
    }
  }

  // ---- what happens to processes ---------------------------------------------------------------

  private void end() throws Exception {
    if (isBlocked()) {
      wake();
    }
    ModelProcess process = running();
    if (dice.nextInt(3) == 0) {
      say("process " + process.number() + " ends and starts again");
      restart(process);
      return;
    }
    int moments = 1 + dice.nextInt(60);
    say("process " + process.number() + " dies in " + moments + " moments");
    ProcessGate gate = process.gate;
    gate.dieIn(moments);
    for (int i = 0; i < 3 && process.gate == gate; i++) {
      change(process, group());
    }
    if (process.gate == gate) {
      gate.die();
      restart(process);
    }
  }

  private void restart(ModelProcess process) {
    process.stop();
    process.start();
    say("process " + process.number() + " has started");
  }

  /** Whether a process stands in the middle of a transaction, for whose end others would wait. */
  private boolean isBlocked() {
    if (paused == null || !paused.process().gate.isInTransaction()) {
      return false;
    }
    if (dice.nextInt(2) == 0) {
      return true;
    }
    say("the server ends the connections of process " + paused.process().number());
    database.breakConnections(paused.process().number());
    return false;
  }

  private void pauseOrWake() throws Exception {
    if (database.processes() < 2 || !shelf.compares()) {
      return; // where stamps are not compared, a write must not be held up for so long
    }
    if (paused != null) {
      wake();
      return;
    }
    ModelProcess process = running();
    String group = group();
    Edit edit = edit(group);
    int moments = 1 + dice.nextInt(40);
    process.gate.pauseIn(moments);
    say(
        "process "
            + process.number()
            + " pauses in "
            + moments
            + " moments, group "
            + group
            + ": "
            + edit);
    AtomicReference<Thread> thread = new AtomicReference<>();
    Future<UpdateResult> result =
        threads.submit(
            () -> {
              thread.set(Thread.currentThread());
              return run(process, group, edit);
            });
    await().until(() -> result.isDone() || process.gate.isStanding(thread.get()));
    GroupContent before = known(group).content;
    GroupContent after = edit.change().apply(before);
    Progress progress = after.equals(before) ? Progress.NOTHING : Progress.UNDER_WAY;
    paused = new Paused(process, group, edit, result, progress);
    if (!after.equals(before) && running().read(group).equals(after)) {
      say("  it is committed already");
      put(known(group), after);
      paused = new Paused(process, group, edit, result, Progress.COMMITTED);
    } else if (!process.gate.isPaused()) {
      wake();
    }
  }

  private void wake() throws Exception {
    Paused was = paused;
    if (was == null) {
      return;
    }
    say("process " + was.process().number() + " goes on");
    was.process().gate.wake();
    try {
      UpdateResult result = was.result().get(20, TimeUnit.SECONDS);
      paused = null;
      if (was.isOver(result)) {
        say("  -> " + result);
      } else {
        apply(was.group(), was.edit(), result);
      }
    } catch (ExecutionException e) {
      paused = null;
      if (!(e.getCause() instanceof DurableStoreException cause)) {
        throw e;
      }
      if (was.progress() != Progress.COMMITTED) {
        uncertain(was.process(), was.group(), was.edit(), cause);
      }
    } catch (TimeoutException e) {
      throw new AssertionError("process " + was.process().number() + " does not go on", e);
    }
  }

  // ---- what happens to the database ------------------------------------------------------------

  private void keep() {
    if (unraised) {
      return; // an epoch that was given out and lost could be given out again
    }
    Map<String, Known> now = new TreeMap<>();
    model.forEach((group, known) -> now.put(group, known.copy()));
    say("a copy is taken");
    copies.add(new Kept(database.copy(), now));
  }

  private void raise() throws Exception {
    if (isBlocked()) {
      wake();
    }
    say("the epoch is raised: " + running().topology.raiseEpoch());
    copies.clear(); // as in keep
  }

  /** The database loses what it was told since some moment. */
  private void lose() throws Exception {
    if (copies.isEmpty()) {
      return;
    }
    Kept kept = copies.get(dice.nextInt(copies.size()));
    copies.clear();
    say("what was committed since a copy is lost");
    if (!shelf.compares()) {
      awaitNoWrite();
      mishaps.settleAll(dice, FOR_EVER); // the records of these writes are lost too
    }
    if (database.processes() == 1) {
      ModelProcess process = processes.get(0);
      process.gate.die();
      process.stop();
      boolean unnoticed = kept.copy().restore(dice);
      process.start();
      if (unnoticed) {
        say("  nobody can notice: the epoch is raised: " + process.topology.raiseEpoch());
      }
    } else {
      kept.copy().restore(dice);
    }
    model.clear();
    kept.model().forEach((group, known) -> model.put(group, known.copy()));
    unraised = true;
  }

  // ---- the end ---------------------------------------------------------------------------------

  /** When all is quiet everything is as the model says, and stays so. */
  private void settle() throws Exception {
    say("nothing goes wrong any more");
    mishaps.percent(0);
    wake();
    if (!shelf.compares()) {
      awaitNoWrite();
      mishaps.settleAll(dice, FOR_EVER);
    }
    awaitAgreement();
    mishaps.settleAll(dice, FOR_EVER);
    awaitAgreement();
  }

  private void awaitAgreement() throws InterruptedException {
    List<String> differences = List.of("nothing was compared");
    for (int round = 0; round < MOST_ROUNDS && !differences.isEmpty(); round++) {
      advance(LONG);
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ROUND_MILLIS);
      do {
        TimeUnit.MILLISECONDS.sleep(5);
        differences = differences();
      } while (!differences.isEmpty() && System.nanoTime() - until < 0);
    }
    if (!differences.isEmpty()) {
      throw new AssertionError("in the end:\n  " + String.join("\n  ", differences));
    }
  }

  private List<String> differences() {
    List<String> all = new ArrayList<>(receivers.violations);
    ModelProcess process = processes.get(0);
    for (ModelProcess each : processes) {
      each.topology.backlog().forEach(some -> all.add("pending: " + some));
    }
    Map<String, Stamp> stamps = new HashMap<>();
    process.topology.groups("", 100).forEach(row -> stamps.put(row.name(), row.stamp()));
    model.forEach(
        (group, known) -> {
          GroupContent now = process.read(group);
          if (!now.equals(known.content)) {
            all.add("group " + group + " is " + now + ", not " + known.content);
          }
          Stamp stamp = stamps.get(group);
          if (known.ever && stamp != null) {
            compare(group, known, stamp, all);
          } else if (known.ever) {
            all.add("group " + group + " is not known");
          }
        });
    return all;
  }

  private void compare(String group, Known known, Stamp stamp, List<String> all) {
    Stamp highest = newest.getOrDefault(group, stamp);
    if (stamp.version() != known.version || highest.isNewerThan(stamp)) {
      all.add("group " + group + " has " + stamp + " after " + highest + " and " + known.version);
    }
    Published stored = shelf.stored(group).orElse(null);
    if (stored == null || !stored.stamp().equals(stamp)) {
      all.add("the store has " + stored + ", not " + stamp);
    } else if (!members(stored).equals(known.content.members())) {
      all.add("the store has " + stored + ", not " + known.content);
    }
    for (ModelReader reader : readers) {
      Optional<GroupSnapshot> read = reader.read(group);
      if (!read.map(GroupSnapshot::members).orElse(List.of()).equals(known.content.members())) {
        all.add("a reader has " + read + ", not " + known.content);
      }
    }
    known.content.values().forEach((channel, value) -> delivered(known, channel, value, all));
  }

  private void delivered(Known known, String channel, int value, List<String> all) {
    for (Member member : known.content.members()) {
      if (ModelProcess.role(channel).includes(member.state())
          && !Objects.equals(receivers.value(channel, member.id()), value)) {
        all.add(
            member
                + " has "
                + channel
                + " "
                + receivers.describe(channel, member.id())
                + ", not "
                + value);
      }
    }
  }

  private static List<Member> members(Published published) {
    return published instanceof GroupSnapshot snapshot ? snapshot.members() : List.of();
  }

  @Override
  public void close() {
    for (ModelProcess process : processes) {
      process.gate.wake();
      process.stop();
    }
    readers.forEach(ModelReader::close);
    threads.shutdownNow();
    database.close();
  }
}
