package io.waymark.objects;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.testing.postgres.PostgresCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema of its own on a server that all tests of this JVM share. */
final class DatabaseStores implements Stores {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** The server; it ends with the JVM. */
  private static final class Server {
    static final PostgresCluster CLUSTER =
        PostgresCluster.builder().replicas(0).setting("max_connections", "200").start();
  }

  private final String schema = "t" + NUMBER.incrementAndGet();
  final HikariDataSource source;

  DatabaseStores() {
    execute("CREATE SCHEMA " + schema);
    execute("CREATE TABLE " + clockTable() + " AS SELECT 1000000000000::bigint AS micros");
    source = source("postgres");
  }

  /** A pool for a role; the caller closes it. */
  HikariDataSource source(String role) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url());
    pool.setUsername(role);
    pool.setMaximumPoolSize(20);
    pool.setMinimumIdle(0);
    pool.setPoolName(schema + "-" + role);
    return new HikariDataSource(pool);
  }

  static void execute(String sql) {
    try (Connection connection = Server.CLUSTER.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of the only row. */
  static String value(String sql) {
    try (Connection connection = Server.CLUSTER.primary().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  String url() {
    String url = Server.CLUSTER.primary().url();
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  String schema() {
    return schema;
  }

  private String clockTable() {
    return schema + ".test_clock";
  }

  /** What time it is for the leases: stands still until a test moves it. */
  String clock() {
    return "(SELECT micros FROM " + clockTable() + ")";
  }

  void pass(Duration time) {
    execute("UPDATE " + clockTable() + " SET micros = micros + " + time.toMillis() * 1000);
  }

  @Override
  public <T> NamedObjectsBuilder<T> objects(ObjectFactory<T> factory) {
    return NamedObjects.<T>postgres(source, "counters", factory).inSchema(schema);
  }

  @Override
  public void close() {
    source.close();
    execute("DROP SCHEMA " + schema + " CASCADE");
  }
}
