package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.StoreError;
import io.waymark.durable.StoreTime;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import io.waymark.topology.DirectorySnapshots;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Real processes: a second one on a file is refused, and one that is killed loses nothing. */
@ExtendWith(SeededRandomExtension.class)
class SecondProcessTest {
  private static final int KILLS = Boolean.getBoolean("waymark.long") ? 100 : 5;
  private static final int LONGEST_LIFE_MILLIS = 300;

  @TempDir Path folder;

  /** The highest value of each group that was acknowledged, and how many changes were. */
  private final Map<String, Integer> acknowledged = new HashMap<>();

  private int changes;

  @Test
  void aSecondProcessOnAFileIsRefusedAndSaysWhatToDo() throws Exception {
    Path file = folder.resolve("topology.db");
    try (KilledProcess first = KilledProcess.start(folder, file.toString()).awaitOpen();
        KilledProcess second = KilledProcess.start(folder, file.toString())) {
      assertThat(second.line())
          .startsWith("refused WM")
          .contains(file.toRealPath().toString())
          .contains("use PostgreSQL");
      assertThat(second.line()).isNull();
      assertThatThrownBy(() -> DurableStore.sqlite(file).open())
          .isInstanceOfSatisfying(
              DurableStoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.IN_USE));
      assertThat(first.line()).startsWith("done ");

      first.kill();

      DurableStore.sqlite(file).open().close();
    }
  }

  @Test
  void aProcessOnAFileThatIsKilledAtAnyMomentLosesNothing(SeededRandom random) throws Exception {
    String file = folder.resolve("topology.db").toString();
    for (int i = 0; i < KILLS; i++) {
      try (KilledProcess process = KilledProcess.start(folder, file).awaitOpen()) {
        liveAndDie(process, random);
      }
    }

    StoreTime time = new StoreTime();
    try (DurableStore store = time.openFile(DurableStore.sqlite(Path.of(file)))) {
      check(store, KILLS);
    }
  }

  @Test
  void aProcessOnAServerThatIsKilledAtAnyMomentLosesNothing(SeededRandom random) throws Exception {
    try (PostgresDatabase database = new PostgresDatabase()) {
      KilledProcess other = KilledProcess.start(folder, database.url());
      for (int i = 0; i < KILLS; i++) {
        KilledProcess next = KilledProcess.start(folder, database.url());
        try (KilledProcess process = other.awaitOpen()) {
          other = next;
          liveAndDie(process, random);
        }
      }
      try (KilledProcess last = other.awaitOpen()) {
        liveAndDie(last, random);
      }

      // What the killed had claimed is free after their leases.
      StoreTime time = new StoreTime();
      try (HikariDataSource pool = CoordinatorProcess.pool(database.url());
          DurableStore store = time.openServer(DurableStore.postgres(pool), "SELECT 60000000")) {
        check(store, KILLS + 1);
      }
    }
  }

  private void liveAndDie(KilledProcess process, SeededRandom random) throws Exception {
    acknowledge(List.of(String.valueOf(process.line())));
    TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
    acknowledge(process.kill());
  }

  private void acknowledge(List<String> said) {
    for (String line : said) {
      String[] parts = line.split(" ", -1);
      assertThat(parts).as(line).hasSize(3).startsWith("done");
      acknowledged.merge(parts[1], Integer.valueOf(parts[2]), Math::max);
      changes++;
    }
  }

  /** All that was acknowledged, and at most one more change of each process. */
  private void check(DurableStore store, int lives) throws IOException {
    StateChannel<Integer> count = CoordinatorProcess.count(folder);
    try (TopologyCoordinator topology = CoordinatorProcess.topology(store, folder, count)) {
      await().atMost(Duration.ofSeconds(20)).until(() -> topology.backlog().isEmpty());
      Map<String, Integer> received = received();
      int total = 0;
      for (GroupSummary group : topology.groups("", 10)) {
        GroupSnapshot now = topology.snapshot(group.name()).orElseThrow();
        int value = topology.state(group.name(), count).orElseThrow();
        total += value;
        assertThat(value).isGreaterThanOrEqualTo(acknowledged.getOrDefault(group.name(), 0));
        assertThat(now.stamp().version()).isEqualTo(value); // each change changed a member
        assertThat(stored(group.name())).isEqualTo(now);
        assertThat(now.members())
            .extracting(member -> member.attributes().get("n"))
            .contains(String.valueOf(value));
        for (Member member : now.members()) {
          assertThat(received.get(member.id())).as(member.id()).isEqualTo(value);
        }
      }
      assertThat(total).isBetween(changes, changes + lives);
    }
  }

  private GroupSnapshot stored(String group) {
    try (SnapshotReader reader = DirectorySnapshots.in(folder.resolve("snapshots")).reader()) {
      String text = reader.read(group).toCompletableFuture().join().orElseThrow();
      return (GroupSnapshot) SnapshotCodec.decode(group, text);
    }
  }

  /** What members have that apply what is newer, in the order in which it arrived. */
  private Map<String, Integer> received() throws IOException {
    Map<String, Stamp> stamps = new HashMap<>();
    Map<String, Integer> values = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("deliveries"))) {
      String[] parts = line.split(" ", -1);
      Stamp stamp = Stamp.parse(parts[2]);
      Stamp before = stamps.get(parts[0]);
      if (before == null || stamp.isNewerThan(before)) {
        stamps.put(parts[0], stamp);
        values.put(parts[0], Integer.valueOf(parts[1]));
      }
    }
    return values;
  }
}
