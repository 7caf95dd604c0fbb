package io.waymark.coordinator;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreBuilder;
import io.waymark.testing.postgres.PostgresCluster;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
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
    admin("CREATE SCHEMA " + schema);
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url());
    pool.setUsername("postgres");
    pool.setMaximumPoolSize(20);
    pool.setMinimumIdle(0);
    pool.setPoolName(schema);
    source = new HikariDataSource(pool);
  }

  private static void admin(String sql) {
    try (Connection connection = Server.CLUSTER.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where it is; the user is postgres. */
  String url() {
    String url = Server.CLUSTER.primary().url();
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  @Override
  public DurableStoreBuilder store(UnaryOperator<Connection> watched) {
    return DurableStore.postgres(new Watched(source, watched));
  }

  @Override
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), "postgres", "");
  }

  @Override
  public void close() {
    source.close();
    admin("DROP SCHEMA " + schema + " CASCADE");
  }

  record Watched(DataSource source, UnaryOperator<Connection> watched) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return watched.apply(source.getConnection());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
      return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
      source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
      source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
      return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
      return source.isWrapperFor(type);
    }
  }
}
