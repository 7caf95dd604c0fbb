package io.waymark.durable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.testing.postgres.PostgresCluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A schema of its own on a server that all tests of this JVM share. */
final class PostgresDatabase implements TestDatabase {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** The server; it ends with the JVM. */
  private static final class Server {
    static final PostgresCluster CLUSTER =
        PostgresCluster.builder().replicas(0).setting("max_connections", "200").start();
  }

  private final String schema = "t" + NUMBER.incrementAndGet();
  private final HikariDataSource source;

  PostgresDatabase() {
    execute("CREATE SCHEMA " + schema);
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url());
    pool.setUsername("postgres");
    pool.setMaximumPoolSize(20);
    pool.setMinimumIdle(0);
    pool.setPoolName(schema);
    source = new HikariDataSource(pool);
  }

  private static void execute(String sql) {
    try (Connection connection = Server.CLUSTER.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  String schema() {
    return schema;
  }

  /** Where it is, for whoever wants connections of his own; the user is postgres. */
  String url() {
    String url = Server.CLUSTER.primary().url();
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  HikariDataSource source() {
    return source;
  }

  @Override
  public DurableStoreBuilder store() {
    return DurableStore.postgres(source);
  }

  /** The server's idea of now is a row that follows the test's time. */
  @Override
  public DurableStoreBuilder store(TestTime time) {
    return store(time, real -> real);
  }

  /** The same, whose connections come through a data source of the test's. */
  DurableStoreBuilder store(TestTime time, UnaryOperator<DataSource> watched) {
    String table = schema + ".test_clock";
    execute("CREATE TABLE IF NOT EXISTS " + table + " (micros bigint)");
    execute("DELETE FROM " + table);
    execute("INSERT INTO " + table + " VALUES (" + time.micros() + ")");
    time.onChange(micros -> execute("UPDATE " + table + " SET micros = " + micros));
    return DurableStore.postgres(watched.apply(source))
        .ticker(time)
        .clock(new StoreClock("(SELECT micros FROM " + table + ")", time::micros));
  }

  @Override
  public Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(url(), "postgres", "");
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public void close() {
    source.close();
    execute("DROP SCHEMA " + schema + " CASCADE");
  }
}
