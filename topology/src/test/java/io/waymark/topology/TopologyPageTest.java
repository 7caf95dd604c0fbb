package io.waymark.topology;

import static io.waymark.topology.Groups.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/topology.md}: what stands there stands here, and works. */
class TopologyPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path folder;
  private final List<String> calls = new ArrayList<>();

  /** How members are called is the application's own. */
  private void send(Member member, String order) {
    calls.add(member.endpoint().orElse("?") + " " + order);
  }

  /** Readers: who takes a write, who must be asked. */
  private final class Orders {
    private final TopologyClient topology;

    Orders(SnapshotReader snapshots) {
      topology =
          TopologyClient.builder(snapshots)
              .staleIfError(Duration.ofMinutes(10))
              .onFallback(event -> calls.add(event.group() + " was served " + event.source()))
              .build();
    }

    void place(String tenant, String order) {
      List<Member> shards = topology.get(tenant).writeSet();
      send(shards.get(ThreadLocalRandom.current().nextInt(shards.size())), order);
    }

    void findAll(String tenant) {
      for (Member shard : topology.get(tenant).readSet()) { // draining ones hold data too
        send(shard, "find all");
      }
    }
  }

  @Test
  void whoeverReadsFindsTheMembersThatWerePublished() {
    DirectorySnapshots store = DirectorySnapshots.in(folder);
    GroupSnapshot acme =
        new GroupSnapshot(
            "acme",
            Stamp.parse("1.1@example"),
            List.of(
                Member.active("acme-0").with("endpoint", "https://10.0.0.7"),
                Member.active("acme-1").in(MemberState.DRAINING).with("endpoint", "https://old")));
    store.publisher().write(acme);
    Orders orders = new Orders(store.reader());

    orders.place("acme", "three apples");
    orders.findAll("acme");

    assertThat(calls)
        .containsExactly(
            "https://10.0.0.7 three apples", "https://10.0.0.7 find all", "https://old find all");
    store.publisher().write(tombstone("acme", "1.2@example"));
    orders.topology.close();
  }

  /** What a member must hold. */
  private record Limits(int ordersPerSecond) {}

  /** Receivers: a member that keeps its limits in a database of its own. */
  private static final class LimitsOfShard {
    private final JdbcStateReceiver states = JdbcStateReceiver.of();
    private final String url;

    LimitsOfShard(String url) throws SQLException {
      this.url = url;
      try (Connection connection = DriverManager.getConnection(url)) {
        states.create(connection); // or let your own migrations run states.ddl()
      }
    }

    /** Called by the coordinator's delivery, with what came over the wire. */
    Reception receive(String group, int ordersPerSecond, String stamp) throws SQLException {
      StateUpdate<Limits> update =
          new StateUpdate<>(new Limits(ordersPerSecond), Stamp.parse(stamp));
      try (Connection connection = DriverManager.getConnection(url)) {
        connection.setAutoCommit(false);
        Reception reception =
            states.apply(connection, group + "/limits", update, LimitsOfShard::store);
        connection.commit();
        return reception; // whatever it is, the coordinator need not come again
      }
    }

    private static void store(Connection connection, Limits limits) throws SQLException {
      try (PreparedStatement set = connection.prepareStatement("UPDATE limits SET most = ?")) {
        set.setInt(1, limits.ordersPerSecond());
        set.executeUpdate();
      }
    }
  }

  @Test
  void aMemberAppliesOnlyWhatIsNewer() throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("shard.db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE limits (most integer)");
      statement.execute("INSERT INTO limits VALUES (1)");
      LimitsOfShard shard = new LimitsOfShard(url);

      assertThat(shard.receive("acme", 200, "1.8@example")).isEqualTo(Reception.APPLIED);
      assertThat(shard.receive("acme", 100, "1.7@example")).isEqualTo(Reception.OLDER);
      assertThat(shard.receive("acme", 200, "1.8@example")).isEqualTo(Reception.REPEATED);

      try (ResultSet row = statement.executeQuery("SELECT most FROM limits")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(200);
      }
    }
  }

  @Test
  void theExamplesOfThePageAreTheseClasses() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/topology.md"));
    String source =
        plain(
            Files.readString(
                ROOT.resolve("topology/src/test/java/io/waymark/topology/TopologyPageTest.java")));
    List<String> examples =
        EXAMPLE.matcher(page).results().map((MatchResult found) -> found.group(1)).toList();

    assertThat(examples).hasSize(2);
    assertThat(examples).allSatisfy(example -> assertThat(source).contains(plain(example)));
  }

  /** Without what differs between a page and a nested class. */
  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .map(line -> line.replaceAll("^private (static )?final class", "final class"))
        .reduce("", (one, next) -> one + "\n" + next)
        .strip();
  }
}
