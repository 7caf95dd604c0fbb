package io.waymark.cli.processes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.testing.postgres.PostgresCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** The demo's PostgreSQL, and the connections of workers to it. */
public final class DemoDatabase {
  /** An ordinary role, as applications have it; the demo's server asks for no password. */
  public static final String ROLE = "waymark_demo";

  private DemoDatabase() {}

  /** A server of its own, with a schema of that role. */
  static PostgresCluster start() throws SQLException {
    PostgresCluster started = PostgresCluster.builder().replicas(0).proxied(false).start();
    try (Connection connection = started.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE " + ROLE + " LOGIN");
      statement.execute("CREATE SCHEMA AUTHORIZATION " + ROLE);
      statement.execute("GRANT CREATE ON DATABASE " + started.database() + " TO " + ROLE);
    }
    return started;
  }

  /** A pool of a worker. */
  public static HikariDataSource open(String url, int most) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(most);
    pool.setMinimumIdle(1);
    pool.setDataSourceProperties(properties());
    return new HikariDataSource(pool);
  }

  /** A server that falls silent is noticed. */
  public static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", ROLE);
    properties.setProperty("socketTimeout", "10");
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }
}
