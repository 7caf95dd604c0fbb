package io.waymark.cli.shards;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Properties;

/** Connections of workers to the demo's PostgreSQL. */
final class Pools {
  /** An ordinary role, as applications have it; the demo's server asks for no password. */
  static final String ROLE = "waymark_demo";

  private Pools() {}

  static HikariDataSource open(String url, int most) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(most);
    pool.setMinimumIdle(1);
    pool.setDataSourceProperties(properties());
    return new HikariDataSource(pool);
  }

  /** A server that falls silent is noticed. */
  static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", ROLE);
    properties.setProperty("socketTimeout", "10");
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }
}
