package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.SeededRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver does in an application's own transaction, whatever the database is. */
abstract class JdbcStateReceiverContract {
  private static final String KEY = "acme/acme-3/limits";

  final JdbcStateReceiver receiver = JdbcStateReceiver.of();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A connection of the application's to a database that starts empty, in autocommit. */
  abstract Connection connect() throws SQLException;

  @BeforeEach
  void createTables() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      receiver.create(connection);
      statement.execute("CREATE TABLE limits (id varchar(255) PRIMARY KEY, most integer)");
      statement.execute("INSERT INTO limits VALUES ('" + KEY + "', 0)");
    }
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private static StateUpdate<Integer> update(int value, String stamp) {
    return new StateUpdate<>(value, Stamp.parse(stamp));
  }

  private static void store(Connection connection, int value) throws SQLException {
    try (PreparedStatement set =
        connection.prepareStatement("UPDATE limits SET most = ? WHERE id = '" + KEY + "'")) {
      set.setInt(1, value);
      set.executeUpdate();
    }
  }

  /** One delivery as an application takes it, in a transaction of its own. */
  private Reception deliver(int value, String stamp) throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      Reception reception =
          receiver.apply(connection, KEY, update(value, stamp), JdbcStateReceiverContract::store);
      connection.commit();
      return reception;
    }
  }

  private int stored() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT most FROM limits WHERE id = '" + KEY + "'")) {
      row.next();
      return row.getInt(1);
    }
  }

  private String applied() throws SQLException {
    try (Connection connection = connect()) {
      return receiver.applied(connection, KEY).map(Stamp::toString).orElse("nothing");
    }
  }

  @Test
  void aNewerUpdateIsAppliedAndALateOneAfterItIsNot() throws Exception {
    assertThat(applied()).isEqualTo("nothing");

    assertThat(deliver(10, "1.1@c1")).isEqualTo(Reception.APPLIED);
    assertThat(deliver(30, "1.3@c1")).isEqualTo(Reception.APPLIED);
    assertThat(deliver(20, "1.2@c1")).isEqualTo(Reception.OLDER);

    assertThat(stored()).isEqualTo(30);
    assertThat(applied()).isEqualTo("1.3@c1");
  }

  @Test
  void anUpdateThatArrivesTwiceIsAppliedOnce() throws Exception {
    assertThat(deliver(10, "1.1@c1")).isEqualTo(Reception.APPLIED);
    assertThat(deliver(99, "1.1@c1")).isEqualTo(Reception.REPEATED);

    assertThat(stored()).isEqualTo(10);
  }

  @Test
  void aHigherEpochIsNewerWhateverItsVersionIs() throws Exception {
    deliver(10, "1.100@c1");

    assertThat(deliver(20, "2.1@c1")).isEqualTo(Reception.APPLIED);
    assertThat(deliver(30, "1.101@c1")).isEqualTo(Reception.OLDER);
    assertThat(stored()).isEqualTo(20);
  }

  @Test
  void anotherAuthorityIsTakenAndTheOneThatWasLeftOnlyWithAHigherEpoch() throws Exception {
    deliver(10, "5.5@c1");

    assertThat(deliver(20, "1.1@c2")).isEqualTo(Reception.APPLIED);
    assertThat(deliver(30, "5.6@c1")).isEqualTo(Reception.OLDER);
    assertThat(stored()).isEqualTo(20);

    assertThat(deliver(40, "6.1@c1")).isEqualTo(Reception.APPLIED);
    assertThat(stored()).isEqualTo(40);
  }

  @Test
  void namesThatAreAsLongAsTheyMayBeFitIntoTheTable() throws Exception {
    String longest = "9223372036854775807.9223372036854775807@" + "漢".repeat(127);
    for (String last : List.of("a", "b", "c", "d", "e")) {
      assertThat(deliver(10, longest + last)).isEqualTo(Reception.APPLIED);
    }

    assertThat(applied()).isEqualTo(longest + "e");
    assertThat(deliver(10, longest + "d")).isEqualTo(Reception.OLDER);
  }

  @Test
  void whatIsRolledBackWasNotApplied() throws Exception {
    deliver(10, "1.1@c1");
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      receiver.apply(connection, KEY, update(20, "1.2@c1"), JdbcStateReceiverContract::store);
      connection.rollback();
    }

    assertThat(stored()).isEqualTo(10);
    assertThat(applied()).isEqualTo("1.1@c1");
    assertThat(deliver(20, "1.2@c1")).isEqualTo(Reception.APPLIED);
  }

  @Test
  void aChangeThatFailsLeavesTheUpdateToTheNextDeliveryEvenIfTheCallerCommits() throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () ->
                  receiver.apply(
                      connection,
                      KEY,
                      update(20, "1.2@c1"),
                      (c, value) -> {
                        throw new IllegalStateException("own trouble");
                      }))
          .hasMessage("own trouble");
      connection.commit();
    }

    assertThat(applied()).isEqualTo("nothing");
    assertThat(deliver(20, "1.2@c1")).isEqualTo(Reception.APPLIED);
    assertThat(stored()).isEqualTo(20);
  }

  @Test
  void anOlderUpdateDoesNotReachTheChange() throws Exception {
    deliver(20, "1.2@c1");
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      Reception reception =
          receiver.apply(
              connection,
              KEY,
              update(10, "1.1@c1"),
              (c, value) -> {
                throw new AssertionError("an older value was to be stored");
              });
      connection.commit();
      assertThat(reception).isEqualTo(Reception.OLDER);
    }
  }

  /** The first delivery of a key holds its row, which is not there yet, while a second comes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void twoFirstDeliveriesAtOnceRunOneAfterTheOther(boolean commits) throws Exception {
    CountDownLatch applied = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Future<Reception> newer =
        threads.submit(
            () -> {
              try (Connection connection = connect()) {
                connection.setAutoCommit(false);
                Reception reception =
                    receiver.apply(
                        connection, KEY, update(20, "1.2@c1"), JdbcStateReceiverContract::store);
                applied.countDown();
                go.await();
                if (commits) {
                  connection.commit();
                } else {
                  connection.rollback();
                }
                return reception;
              }
            });
    assertThat(applied.await(30, TimeUnit.SECONDS)).isTrue();
    Future<Reception> older = threads.submit(() -> deliver(10, "1.1@c1"));
    assertThatThrownBy(() -> older.get(200, TimeUnit.MILLISECONDS))
        .as("it waits for the one that holds the key")
        .isInstanceOf(java.util.concurrent.TimeoutException.class);

    go.countDown();

    assertThat(newer.get(30, TimeUnit.SECONDS)).isEqualTo(Reception.APPLIED);
    assertThat(older.get(30, TimeUnit.SECONDS))
        .isEqualTo(commits ? Reception.OLDER : Reception.APPLIED);
    assertThat(stored()).isEqualTo(commits ? 20 : 10);
  }

  @Test
  void deliveriesInAnyOrderFromManyThreadsLeaveTheNewest() throws Exception {
    SeededRandom random = SeededRandom.create();
    List<Stamp> stamps = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      stamps.add(new Stamp("c1", 1, i));
      stamps.add(new Stamp("c1", 1, i)); // everything arrives twice
    }
    Collections.shuffle(stamps, new Random(random.nextLong()));
    List<Future<Integer>> deliveries = new ArrayList<>();
    for (int thread = 0; thread < 6; thread++) {
      List<Stamp> share = stamps.subList(thread * 20, (thread + 1) * 20);
      deliveries.add(threads.submit(() -> deliver(share)));
    }
    int applied = 0;
    for (Future<Integer> each : deliveries) {
      applied += each.get(60, TimeUnit.SECONDS);
    }

    assertThat(stored()).as("%s", random).isEqualTo(60);
    assertThat(applied()).as("%s", random).isEqualTo("1.60@c1");
    assertThat(applied).as("%s", random).isBetween(1, 60);
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT deliveries FROM waymark_applied")) {
      row.next();
      assertThat(row.getLong(1)).as("%s", random).isEqualTo(120);
    }
  }

  private int deliver(List<Stamp> share) throws SQLException {
    int applied = 0;
    for (Stamp stamp : share) {
      Reception reception = deliver((int) stamp.version(), stamp.toString());
      applied += reception == Reception.APPLIED ? 1 : 0;
    }
    return applied;
  }

  @Test
  void keysAreApart() throws Exception {
    deliver(10, "1.5@c1");
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      assertThat(receiver.apply(connection, "other", update(1, "1.1@c1"), (c, value) -> {}))
          .isEqualTo(Reception.APPLIED);
      connection.commit();
    }

    assertThat(applied()).isEqualTo("1.5@c1");
  }

  @Test
  void whatCannotBeRightIsRefusedBeforeAnythingIsLocked() throws Exception {
    try (Connection connection = connect()) {
      Callable<Reception> inAutocommit =
          () -> receiver.apply(connection, KEY, update(1, "1.1@c1"), (c, value) -> {});
      assertThatThrownBy(inAutocommit::call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
      connection.setAutoCommit(false);
      for (String key : List.of("", " ", "a\nb", "x".repeat(256))) {
        Callable<Reception> badKey =
            () -> receiver.apply(connection, key, update(1, "1.1@c1"), (c, value) -> {});
        assertThatThrownBy(badKey::call).isInstanceOf(IllegalArgumentException.class);
      }
      Callable<Reception> local =
          () ->
              receiver.apply(connection, KEY, new StateUpdate<>(1, Stamp.LOCAL), (c, value) -> {});
      assertThatThrownBy(local::call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("local");
      connection.rollback();
    }
    assertThat(applied()).isEqualTo("nothing");
  }

  @Test
  void aTableThatWasTamperedWithIsSaidToBeSo() throws Exception {
    deliver(10, "1.1@c1");
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE waymark_applied SET stamps = 'newest'");
    }

    assertThatThrownBy(() -> deliver(20, "1.2@c1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("waymark_applied")
        .hasMessageContaining(KEY);
    assertThat(stored()).isEqualTo(10);
  }

  @Test
  void theTableIsCreatedOnceAndValidated() throws Exception {
    JdbcStateReceiver other = JdbcStateReceiver.inTable("other_applied");
    try (Connection connection = connect()) {
      assertThatThrownBy(() -> other.validate(connection)).isInstanceOf(SQLException.class);
      receiver.validate(connection);
      receiver.create(connection); // there already

      connection.setAutoCommit(false);
      other.create(connection);
      other.create(connection);
      other.validate(connection);
      connection.commit();
    }
    assertThat(other.ddl()).startsWith("CREATE TABLE other_applied (");
    assertThatThrownBy(() -> JdbcStateReceiver.inTable("Robert'); DROP TABLE x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Accepted");
  }
}
