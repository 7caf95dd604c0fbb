package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.durable.DurableStore;
import io.waymark.topology.Member;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * What a change costs, what memory is used and how long a start takes does not grow with groups.
 */
class ScaleTest {
  private static final int FEW = 100;
  private static final int MANY = 100_000;
  private static final int UPDATES = 40;
  private static final Duration LONGEST_START = Duration.ofSeconds(2);
  private static final long MOST_BYTES = 3L << 20;

  private static final List<String> TABLES =
      List.of(
          "waymark_topology_group",
          "waymark_topology_member",
          "waymark_topology_state",
          "waymark_outbox");

  private static final Map<String, TestDatabase> FILLED = new HashMap<>();
  private static int numbers = 1;

  private final AtomicInteger deliveries = new AtomicInteger();
  private final StateChannel<Limits> limits =
      StateChannel.of("limits", Limits.class)
          .deliver((member, update) -> deliveries.incrementAndGet());

  @AfterAll
  static void end() {
    FILLED.values().forEach(TestDatabase::close);
    FILLED.clear();
  }

  /** Filling takes longer than what is done then, so tests share it. */
  private static TestDatabase filled(Supplier<TestDatabase> databases, String kind, int groups) {
    return FILLED.computeIfAbsent(
        kind + groups,
        key -> {
          TestDatabase database = databases.get();
          authority(database);
          fill(database, groups);
          return database;
        });
  }

  private static PostgresDatabase server(int groups) {
    return (PostgresDatabase) filled(PostgresDatabase::new, "server", groups);
  }

  private static SqliteDatabase file(int groups) {
    return (SqliteDatabase) filled(SqliteDatabase::new, "file", groups);
  }

  /** Three members and a value each, as they are when all has long been delivered. */
  private static void fill(TestDatabase database, int groups) {
    boolean sqlite = database instanceof SqliteDatabase;
    String numbers =
        sqlite
            ? "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < "
                + groups
                + ") "
            : "WITH n AS (SELECT generate_series(0, " + (groups - 1) + ") AS i) ";
    database.execute(
        numbers.replace(
                "WITH",
                "INSERT INTO waymark_topology_group (name, epoch, version, changes,"
                    + " deleted, takes_over, members, joining, last_update) WITH")
            + "SELECT 'group-' || i, 1, 1, 1, 0, 0, 3, 0, '' FROM n");
    for (int member = 0; member < 3; member++) {
      database.execute(
          numbers.replace(
                  "WITH",
                  "INSERT INTO waymark_topology_member"
                      + " (group_name, id, place, state, attributes) WITH")
              + "SELECT 'group-' || i, 'group-' || i || '-"
              + member
              + "', "
              + member
              + ", 'active', '{}' FROM n");
    }
    database.execute(
        numbers.replace(
                "WITH",
                "INSERT INTO waymark_topology_state"
                    + " (group_name, channel, role, value, set_at) WITH")
            + "SELECT 'group-' || i, 'limits', 'write', '{\"perSecond\":1}', 1 FROM n");
    database.execute(
        numbers.replace(
                "WITH",
                "INSERT INTO waymark_outbox"
                    + " (channel, item_key, version, staged_at, delivered_version, settled_at) WITH")
            + "SELECT 'waymark.topology', 'group-' || i, i + 1, "
            + soon()
            + ", i + 1, "
            + soon()
            + " FROM n");
    if (sqlite) {
      database.execute("UPDATE waymark_outbox_version SET value = " + (groups + 1));
      database.execute("ANALYZE");
    } else {
      database.execute("SELECT setval('waymark_outbox_version', " + (groups + 1) + ")");
      TABLES.forEach(
          table -> {
            database.execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
            database.execute("VACUUM ANALYZE " + table);
          });
    }
  }

  /** Not yet old enough to be swept away. */
  private static long soon() {
    return System.currentTimeMillis() * 1_000;
  }

  /** As whom stamps are issued; makes the tables. */
  private static String authority(TestDatabase database) {
    try (DurableStore store = database.store().open();
        TopologyCoordinator topology =
            TopologyCoordinator.builder(store).publisher(new CountingPublisher(0, "")).build()) {
      return topology.authority();
    }
  }

  private TopologyCoordinatorBuilder builder(DurableStore store) {
    return TopologyCoordinator.builder(store).publisher(new CountingPublisher(0, "")).state(limits);
  }

  /** Changes members and values here and there, and waits until all has arrived. */
  private void update(TopologyCoordinator topology, int groups) {
    for (int i = 0; i < UPDATES; i++) {
      String group = "group-" + (long) i * groups / UPDATES;
      int number = ++numbers;
      topology.update(
          group,
          now ->
              now.drain(group + "-0")
                  .put(Member.active(group + "-new").with("n", String.valueOf(number)))
                  .set(limits, new Limits(number)));
    }
    // Three members of each group; nobody asks the database, whose work is counted.
    await().until(() -> deliveries.getAndUpdate(n -> n < 3 * UPDATES ? n : 0) >= 3 * UPDATES);
  }

  // ---- PostgreSQL ------------------------------------------------------------------------------

  /**
   * What the server counted.
   *
   * @param rows of groups that were read or written
   * @param outbox rows of the outbox that were: some more or fewer each time, since whoever looks
   *     for due work meets what others have just settled
   * @param pages of tables and indexes, found in memory or not
   * @param descents how often an index was gone down, at most
   */
  private record Cost(long rows, long outbox, long pages, long descents) {
    Cost minus(Cost before) {
      return new Cost(
          rows - before.rows,
          outbox - before.outbox,
          pages - before.pages,
          descents - before.descents);
    }
  }

  private static Cost counted(PostgresDatabase database) {
    String tables =
        " FROM pg_stat_user_tables t JOIN pg_statio_user_tables io USING (relid)"
            + " WHERE t.schemaname = current_schema()";
    String indexes = "(SELECT count(*) FROM pg_index WHERE indrelid = t.relid)";
    String rows =
        "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)"
            + tables;
    return new Cost(
        database.number(rows + " AND t.relname <> 'waymark_outbox'"),
        database.number(rows + " AND t.relname = 'waymark_outbox'"),
        database.number(
            "SELECT sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))"
                + tables),
        database.number(
            "SELECT sum(coalesce(idx_scan, 0) + (n_tup_ins + n_tup_upd - n_tup_hot_upd) * "
                + indexes
                + ")"
                + tables));
  }

  /**
   * What the updates cost, with the start and the end of the process. Indexes are used also where a
   * table is so small that reading all of it costs less: then whoever reads more than an index
   * tells stands out. What has no index is read whole all the same, and counted.
   */
  private Cost costOfUpdates(int groups) {
    PostgresDatabase database = server(groups);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url() + "&ApplicationName=scale");
    config.setUsername("postgres");
    config.setMinimumIdle(0);
    config.setConnectionInitSql("SET enable_seqscan = off");
    Cost before = counted(database);
    // The server counts for certain when a connection has ended.
    try (HikariDataSource pool = new HikariDataSource(config);
        DurableStore store = DurableStore.postgres(pool).open();
        TopologyCoordinator topology = builder(store).build()) {
      update(topology, groups);
    }
    await()
        .until(
            () ->
                database.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'scale'")
                    == 0);
    return counted(database).minus(before);
  }

  @Test
  void onAServerAnUpdateTouchesAsManyRowsWithManyGroupsAndNoMorePagesThanIndexesAreDeeper() {
    Cost few = costOfUpdates(FEW);
    Cost many = costOfUpdates(MANY);

    String costs = UPDATES + " updates cost " + few + " with few groups, " + many + " with many";
    assertThat(many.rows()).as(costs).isLessThanOrEqualTo(few.rows() + few.rows() / 20);
    assertThat(many.outbox()).as(costs).isLessThan(MANY / 4);
    assertThat(many.pages()).as(costs).isLessThanOrEqualTo(few.pages() + 2 * many.descents());
  }

  // ---- SQLite ----------------------------------------------------------------------------------

  @Test
  void inAFileNoStatementOfAnUpdateReadsAWholeTable() throws SQLException {
    Set<String> statements = ConcurrentHashMap.newKeySet();
    SqliteDatabase database = file(FEW);
    try (DurableStore store = database.store(each -> listening(each, statements)).open();
        TopologyCoordinator topology = builder(store).build()) {
      statements.clear();
      update(topology, FEW);
    }
    assertThat(statements).hasSizeGreaterThan(10);
    for (String sql : statements) {
      assertThat(plan(database, sql))
          .as(sql)
          .noneMatch(
              line ->
                  line.startsWith("SCAN waymark_")
                      && !line.equals("SCAN waymark_topology_authority") // one row
                      && !line.equals("SCAN waymark_outbox_version")); // one row
    }
  }

  private static List<String> plan(SqliteDatabase database, String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      while (rows.next()) {
        lines.add(rows.getString("detail"));
      }
    }
    return lines;
  }

  private static Connection listening(Connection connection, Set<String> statements) {
    return (Connection)
        Proxy.newProxyInstance(
            ScaleTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                statements.add((String) arguments[0]);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  // ---- memory and start ------------------------------------------------------------------------

  @Test
  void inAFileMemoryAndStartDoNotGrowWithGroups() {
    startAndMemory(ScaleTest::file);
  }

  @Test
  void onAServerMemoryAndStartDoNotGrowWithGroups() {
    startAndMemory(ScaleTest::server);
  }

  private void startAndMemory(IntFunction<TestDatabase> databases) {
    long few = bytes(databases.apply(FEW), FEW);
    long many = bytes(databases.apply(MANY), MANY);

    assertThat(many - few)
        .as("%d bytes with few groups, %d with many", few, many)
        .isLessThan(MOST_BYTES);
  }

  /** What a coordinator keeps in memory after its first sweep and some updates. */
  private long bytes(TestDatabase database, int groups) {
    CountingPublisher publisher = new CountingPublisher(groups, authority(database));
    AtomicReference<CoordinatorEvent.Swept> sweep = new AtomicReference<>();
    long before = used();
    long began = System.nanoTime();
    try (DurableStore store = database.store().open();
        TopologyCoordinator topology =
            builder(store)
                .publisher(publisher)
                .onEvent(
                    event -> {
                      if (event instanceof CoordinatorEvent.Swept end) {
                        sweep.set(end);
                      }
                    })
                .build()) {
      topology.update("group-1", now -> now.put(Member.active("x").with("n", "" + ++numbers)));
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("from nothing to the first change")
          .isLessThan(LONGEST_START);
      await().until(() -> sweep.get() != null);
      assertThat(sweep.get().groups()).isEqualTo(groups);
      update(topology, groups);
      return used() - before;
    }
  }

  private static long used() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
