package io.waymark.coordinator;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.durable.DurableStore;
import io.waymark.durable.StoreTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema of a PostgreSQL server, whose rows are put back to what they were. */
final class PostgresModelDatabase implements ModelDatabase {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final List<String> TABLES =
      List.of(
          "waymark_topology_authority",
          "waymark_topology_group",
          "waymark_topology_member",
          "waymark_topology_state",
          "waymark_topology_write",
          "waymark_outbox");

  private final PostgresDatabase database = new PostgresDatabase();
  private final String name = "model" + NUMBER.incrementAndGet() + "_";
  private final List<HikariDataSource> sources = new ArrayList<>();
  private int copies;
  private boolean following;

  PostgresModelDatabase(int processes) {
    database.execute("CREATE TABLE model_ahead (micros bigint)");
    database.execute("INSERT INTO model_ahead VALUES (0)");
    for (int i = 0; i < processes; i++) {
      HikariConfig pool = new HikariConfig();
      pool.setJdbcUrl(database.url() + "&ApplicationName=" + name + i);
      pool.setUsername("postgres");
      pool.setMaximumPoolSize(12);
      pool.setMinimumIdle(0);
      pool.setPoolName(name + i);
      sources.add(new HikariDataSource(pool));
    }
  }

  @Override
  public int processes() {
    return sources.size();
  }

  @Override
  public DurableStore open(int process, ProcessGate gate, StoreTime time) {
    if (!following) {
      following = true;
      time.onAdvance(micros -> database.execute("UPDATE model_ahead SET micros = " + micros));
    }
    return time.openServer(
        DurableStore.postgres(new PostgresDatabase.Watched(sources.get(process), gate::watch)),
        "SELECT micros FROM model_ahead");
  }

  @Override
  public void breakConnections(int process) {
    terminate("= '" + name + process + "'");
  }

  /**
   * Ends connections: those in use break, and those that lie idle are not handed out any more. A
   * pool hands out without a look what was used in the last half second, and who only reads is not
   * to meet one that has been ended.
   */
  private void terminate(String which) {
    database.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name "
            + which);
    sources.forEach(each -> each.getHikariPoolMXBean().softEvictConnections());
  }

  @Override
  public boolean isPublishing() {
    return database.number(
            "SELECT count(*) FROM waymark_outbox"
                + " WHERE channel = 'waymark.topology' AND claim_token IS NOT NULL")
        > 0;
  }

  @Override
  public Copy copy() {
    int number = ++copies;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      for (String table : TABLES) {
        statement.execute("CREATE TABLE copy_" + number + "_" + table + " AS TABLE " + table);
      }
      statement.execute(
          "CREATE TABLE copy_"
              + number
              + "_sequence AS"
              + " SELECT last_value, is_called FROM waymark_outbox_version");
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return dice -> {
      restore("copy_" + number + "_");
      return false;
    };
  }

  /** As by a failover: connections end, and what was committed since is not there any more. */
  private void restore(String copy) {
    for (int attempt = 1; ; attempt++) {
      terminate("LIKE '" + name + "%'");
      try {
        replace(copy);
        return;
      } catch (SQLException e) { // somebody came back and was in the way
        if (attempt == 5) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private void replace(String copy) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SET LOCAL lock_timeout = '2s'");
      statement.execute("LOCK TABLE " + String.join(", ", TABLES) + " IN ACCESS EXCLUSIVE MODE");
      for (String table : TABLES) {
        statement.execute("DELETE FROM " + table);
        statement.execute("INSERT INTO " + table + " TABLE " + copy + table);
      }
      statement.execute("UPDATE waymark_topology_authority SET history = history || ' before'");
      statement.execute(
          "SELECT setval('waymark_outbox_version', last_value, is_called) FROM "
              + copy
              + "sequence");
      connection.commit();
    }
  }

  @Override
  public void close() {
    sources.forEach(HikariDataSource::close);
    database.close();
  }
}
