package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.DurableStore;
import io.waymark.durable.StoreSeams;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A process dies at a moment of a history of changes, and the next one brings the store and the
 * members to what the database has. Every tenth moment in a normal build, beginning with a random
 * one; each with {@code -Dwaymark.long=true}.
 */
@ExtendWith(SeededRandomExtension.class)
abstract class CrashContract {
  private static final int STRIDE = Boolean.getBoolean("waymark.long") ? 1 : 10;

  /** What is done in each run: after so many of these the group has that version. */
  private static final List<UnaryOperator<GroupDraft>> HISTORY =
      List.of(
          now -> now.add(Member.active("a")).add(Member.active("b")),
          now -> now.drain("a").add(Member.active("c")),
          now -> now.remove("a"));

  private final TestDatabase database = newDatabase();
  private final MemorySnapshots snapshots = new MemorySnapshots();

  /** A store that keeps whatever arrives last. */
  private final Map<String, String> last = new ConcurrentHashMap<>();

  abstract TestDatabase newDatabase();

  @AfterEach
  void end() {
    database.close();
  }

  /** One life of a process. */
  private final class Life implements AutoCloseable {
    private final DurableStore store;
    private final TopologyCoordinator topology;
    private final StateChannel<Limits> limits;

    Life(CrashPoints points, Shards shards, SnapshotPublisher under) {
      limits =
          StateChannel.of("limits", Limits.class)
              .backoff(Fast.BACKOFF)
              .deliver(
                  (member, update) -> {
                    points.pass();
                    shards.deliver(member, update);
                    points.pass();
                  });
      ControlledPublisher publisher = new ControlledPublisher(under);
      publisher.around(points::pass);
      store = database.store(points::watch).open();
      topology =
          TopologyCoordinator.builder(store)
              .publisher(publisher)
              .backoff(Fast.BACKOFF)
              .publishWait(Duration.ofMillis(200))
              .state(limits)
              .build();
    }

    /** Deletes the group after three changes; counts what was acknowledged in {@code done}. */
    void live(String group, int[] done) {
      for (UnaryOperator<GroupDraft> step : HISTORY) {
        int next = done[0] + 1;
        topology.update(group, now -> step.apply(now).set(limits, new Limits(next)));
        done[0] = next;
      }
      topology.delete(group);
      done[0]++;
    }

    @Override
    public void close() {
      topology.close();
      store.close();
    }
  }

  @Test
  void whateverMomentAProcessDiesAtTheNextOneEndsWithTheNewest(SeededRandom random) {
    dieAtEach(random, snapshots::publisher);
  }

  @Test
  void soItIsOverAStoreThatCannotCompareStamps(SeededRandom random) {
    dieAtEach(random, () -> SnapshotPublisher.overwriting(last::put));
  }

  private void dieAtEach(SeededRandom random, Supplier<SnapshotPublisher> under) {
    boolean died = true;
    for (int moment = random.nextInt(STRIDE); died; moment += STRIDE) {
      died = dieAt(moment, under);
    }
  }

  /** False if the history was over before that moment. */
  private boolean dieAt(int moment, Supplier<SnapshotPublisher> under) {
    String group = "group-" + moment;
    Shards shards = new Shards();
    CrashPoints points = new CrashPoints();
    int[] done = new int[1];
    Life life = new Life(points, shards, under.get());
    try {
      points.dieAt(moment);
      life.live(group, done);
      await().until(() -> points.isDead() || life.topology.backlog().isEmpty());
    } catch (RuntimeException e) {
      if (!points.isDead()) {
        throw e;
      }
    } finally {
      life.close();
    }
    passLeases();
    try (Life next = new Life(new CrashPoints(), shards, under.get())) {
      await()
          .until(
              () -> {
                passLandingDeadlines(next.store);
                return next.topology.backlog().isEmpty();
              });
      check(next, group, done[0], shards);
    } catch (AssertionError | ConditionTimeoutException e) {
      throw new AssertionError("died at moment " + moment, e);
    }
    return points.isDead();
  }

  /** Where others may be alive, what a dead process had claimed is free after a lease. */
  private void passLeases() {
    database.execute(
        "UPDATE waymark_outbox SET due_at = due_at - 400000000 WHERE claim_token IS NOT NULL");
  }

  /** Nothing of a dead process lands in this test. */
  private void passLandingDeadlines(DurableStore store) {
    if (database.number("SELECT count(*) FROM waymark_topology_write") > 0) {
      database.execute("UPDATE waymark_topology_write SET lands_until = lands_until - 400000000");
      database.execute(
          "UPDATE waymark_outbox SET due_at = due_at - 400000000"
              + " WHERE channel = 'waymark.topology' AND claim_token IS NULL"
              + " AND due_at IS NOT NULL");
      StoreSeams.wake(store);
    }
  }

  private Optional<String> stored(String group) {
    String text = last.get(group);
    return text != null
        ? Optional.of(text)
        : snapshots.reader().read(group).toCompletableFuture().join();
  }

  /** All of a change or nothing of it, and everything brought where it belongs. */
  private void check(Life life, String group, int acknowledged, Shards shards) {
    GroupSnapshot now = life.topology.snapshot(group).orElse(null);
    GroupSummary row =
        life.topology.groups("", 10_000).stream()
            .filter(each -> each.name().equals(group))
            .findFirst()
            .orElse(null);
    if (row == null) {
      assertThat(acknowledged).isZero();
      assertThat(stored(group)).isEmpty();
      return;
    }
    int version = (int) row.stamp().version();
    assertThat(version).isBetween(acknowledged, acknowledged + 1);
    Published published = SnapshotCodec.decode(group, stored(group).orElseThrow());
    assertThat(published.stamp()).isEqualTo(row.stamp());
    if (now == null) {
      assertThat(version).isEqualTo(4);
      return;
    }
    assertThat(((GroupSnapshot) published).members()).isEqualTo(now.members());
    assertThat(life.topology.state(group, life.limits)).contains(new Limits(version));
    for (Member member : now.members()) {
      if (member.state() == MemberState.ACTIVE) {
        assertThat(shards.of(member.id()))
            .as("%s %s", member, life.topology.delivery(life.limits, group, member.id()))
            .isEqualTo(new Limits(version));
      }
    }
  }
}
