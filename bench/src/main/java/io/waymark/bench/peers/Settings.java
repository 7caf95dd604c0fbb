package io.waymark.bench.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** What all contenders are given alike. Everything else is each one's own default. */
final class Settings {
  /** Connections of a pool. */
  static final int MAX = 10;

  /** How long a call waits for a connection. HikariCP's default is 30 s. */
  static final Duration ACQUIRE = Duration.ofSeconds(5);

  /** How long opening a connection may take. The driver's default is 10 s. */
  static final Duration CONNECT = Duration.ofSeconds(5);

  /**
   * How long a server may be silent under a statement. By the driver's default it may be so for
   * ever, and then a silent replica holds its callers for ever.
   */
  static final Duration SOCKET = Duration.ofSeconds(10);

  private Settings() {}

  /** A pool's configuration, still without a URL. */
  static HikariConfig pool(String name) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setMaximumPoolSize(MAX);
    config.setConnectionTimeout(ACQUIRE.toMillis());
    return config;
  }

  /** A pool over the PostgreSQL driver. */
  static HikariDataSource driverPool(String name, Servers servers, String url, boolean readOnly) {
    HikariConfig config = pool(name);
    config.setJdbcUrl(url);
    config.setUsername(servers.user());
    config.setReadOnly(readOnly);
    config.addDataSourceProperty("connectTimeout", Long.toString(CONNECT.toSeconds()));
    config.addDataSourceProperty("socketTimeout", Long.toString(SOCKET.toSeconds()));
    return new HikariDataSource(config);
  }
}
