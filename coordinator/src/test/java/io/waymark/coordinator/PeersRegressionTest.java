package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.DurableStore;
import io.waymark.testing.SettableTicker;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.SnapshotListener;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.Stamp;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import io.waymark.topology.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What others of this kind got wrong, with a coordinator, a store and a reader. Named after what
 * went wrong; the projects are in docs/spec/coordinator.md.
 */
class PeersRegressionTest extends CoordinatorFixture {
  private static final Duration TTL = Duration.ofSeconds(30);

  private final SettableTicker ticker = new SettableTicker();
  private final Wire wire = new Wire(snapshots.reader());
  private final TopologyClient client =
      TopologyClient.builder(wire)
          .ttl(TTL)
          .staleIfError(Duration.ofHours(1))
          .ticker(ticker)
          .build();

  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }

  @AfterEach
  void closeClient() {
    client.close();
  }

  /** A reader that can be cut off: then reads fail, and what is pushed is lost. */
  private static final class Wire implements SnapshotReader {
    private final SnapshotReader under;
    private volatile boolean cut;

    Wire(SnapshotReader under) {
      this.under = under;
    }

    @Override
    public CompletionStage<Optional<String>> read(String group) {
      return cut
          ? CompletableFuture.failedFuture(new IllegalStateException("cut off"))
          : under.read(group);
    }

    @Override
    public void watch(SnapshotListener listener) {
      under.watch(
          new SnapshotListener() {
            @Override
            public void changed(String group, @Nullable Stamp stamp) {
              if (!cut) {
                listener.changed(group, stamp);
              }
            }

            @Override
            public void listening() {
              listener.listening();
            }

            @Override
            public void interrupted(String why) {
              listener.interrupted(why);
            }
          });
    }

    @Override
    public void close() {
      under.close();
    }
  }

  private static List<String> endpoints(GroupSnapshot snapshot) {
    return snapshot.members().stream().map(each -> each.endpoint().orElse("")).toList();
  }

  private static GroupDraft at(GroupDraft draft, String endpoint) {
    return draft.put(Member.active("one").with("endpoint", endpoint));
  }

  // ---- apache/curator#911: versions that begin anew
  // ----------------------------------------------

  @Test
  void aGroupCreatedAgainDuringAPartitionIsSeenWithinOneTimeToLive() {
    topology.update("acme", now -> at(now, "https://old"));
    assertThat(endpoints(client.get("acme"))).containsExactly("https://old");
    wire.cut = true;
    topology.delete("acme");
    topology.update("acme", now -> at(now, "https://new"));
    ticker.advance(TTL.multipliedBy(2));
    assertThat(endpoints(client.get("acme"))).containsExactly("https://old"); // stale, not wrong

    wire.cut = false; // and nobody tells of what was missed
    ticker.advance(TTL);

    await()
        .untilAsserted(
            () -> assertThat(endpoints(client.get("acme"))).containsExactly("https://new"));
  }

  // ---- hashicorp/consul PR#5358, #7939: an index that went backwards
  // -----------------------------

  @Test
  void anIndexThatWentBackwardsIsRefusedUnderTheOldEpochAndAcceptedUnderANewOne()
      throws IOException {
    topology.update("acme", now -> at(now, "https://a"));
    awaitQuiet();
    Path file = ((SqliteDatabase) database).file();
    Path copy = file.resolveSibling("copy");
    topology.close();
    store.close();
    Files.copy(file, copy);
    store = database.store().open();
    restart(builder());
    topology.update("acme", now -> at(now, "https://b"));
    Stamp newest = topology.update("acme", now -> at(now, "https://c")).stamp();
    await().untilAsserted(() -> assertThat(client.get("acme").stamp()).isEqualTo(newest));
    topology.close();
    store.close();

    GroupSnapshot old =
        new GroupSnapshot(
            "acme", new Stamp(newest.authority(), 1, 2), List.of(Member.active("one")));
    assertThat(snapshots.publisher().write(old)).isEqualTo(new WriteOutcome.Superseded(newest));
    Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
    store = database.store().open();
    restart(builder());
    Stamp after = topology.update("acme", now -> at(now, "https://d")).stamp();

    assertThat(after.version()).isLessThan(newest.version());
    assertThat(after.isNewerThan(newest)).isTrue();
    await()
        .untilAsserted(
            () -> assertThat(endpoints(client.get("acme"))).containsExactly("https://d"));
  }

  // ---- twmb/franz-go#119, vespa-engine/vespa#4532: another authority, and the one before it
  // ------

  @Test
  void aGroupCreatedAgainAtAnotherAuthorityIsAcceptedAndItsOldOneChangesNothingAnyMore() {
    for (int i = 0; i < 5; i++) {
      String endpoint = "https://here-" + i;
      topology.update("acme", now -> at(now, endpoint));
    }
    assertThat(client.get("acme").stamp().version()).isEqualTo(5);
    try (TestDatabase elsewhere = new SqliteDatabase();
        DurableStore otherStore = elsewhere.store().open();
        TopologyCoordinator other =
            TopologyCoordinator.builder(otherStore)
                .publisher(snapshots.publisher())
                .backoff(Fast.BACKOFF)
                .build()) {
      UpdateResult refused = other.update("acme", now -> at(now, "https://there"));
      assertThat(refused.published()).isFalse();
      assertThat(refused.version()).isEqualTo(1);

      UpdateResult moved = other.takeOver("acme");

      assertThat(moved.published()).isTrue();
      await().untilAsserted(() -> assertThat(client.get("acme").stamp()).isEqualTo(moved.stamp()));
      assertThat(endpoints(client.get("acme"))).containsExactly("https://there");
      assertThat(topology.update("acme", now -> at(now, "https://zombie")).published()).isFalse();
      assertThat(found("acme").orElseThrow().stamp()).isEqualTo(moved.stamp());
      assertThat(endpoints(client.get("acme"))).containsExactly("https://there");
    }
  }

  // ---- apache/curator#848, #996: a store that is down at the start
  // -------------------------------

  @Test
  void aStoreThatIsDownAtTheStartIsUsedWhenItIsThere() {
    topology.close();
    wire.cut = true;
    TopologyCoordinatorBuilder builder = builder().publishWait(Duration.ofSeconds(1));
    publisher.down(true);
    topology = builder.build();
    assertThatThrownBy(() -> client.get("acme")).isInstanceOf(TopologyUnavailableException.class);

    UpdateResult result = topology.update("acme", now -> at(now, "https://a"));
    assertThat(result.changed()).isTrue();
    assertThat(result.published()).isFalse();

    publisher.down(false);
    wire.cut = false;

    awaitQuiet();
    ticker.advance(TTL);
    await().untilAsserted(() -> assertThat(client.get("acme").stamp()).isEqualTo(result.stamp()));
  }

  // ---- jobrunr/jobrunr#629, apache/curator#962: clocks that are set
  // ------------------------------

  @Test
  void aClockThatWasSetBackWhileNobodyRanHoldsNothingUp() {
    publisher.fail(each -> true);
    UpdateResult result = topology.update("acme", now -> at(now, "https://a"));
    topology.close();
    store.close();
    clockWas(Duration.ofHours(2));

    store = database.store().open();
    restart(builder());

    await().untilAsserted(() -> assertThat(client.get("acme").stamp()).isEqualTo(result.stamp()));
  }

  @Test
  void aClockThatWasSetForwardWhileNobodyRanPublishesNothingTwice() {
    UpdateResult result = topology.update("acme", now -> at(now, "https://a"));
    awaitQuiet();
    topology.close();
    store.close();
    clockWas(Duration.ofHours(-2));

    store = database.store().open();
    restart(builder());
    awaitQuiet();

    assertThat(publisher.begun).isEmpty();
    assertThat(topology.update("acme", now -> at(now, "https://b")).version())
        .isEqualTo(result.version() + 1);
  }

  /** Moves all times of the store, as if they had been taken from a clock so far ahead. */
  private void clockWas(Duration ahead) {
    long micros = ahead.toMillis() * 1_000;
    for (String column : List.of("staged_at", "due_at", "attempted_at", "settled_at")) {
      database.execute(
          "UPDATE waymark_outbox SET "
              + column
              + " = "
              + column
              + " + "
              + micros
              + " WHERE "
              + column
              + " IS NOT NULL");
    }
  }
}
