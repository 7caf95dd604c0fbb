package io.waymark.cli.stores;

import java.util.Properties;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections to PostgreSQL for a tool that makes few calls. */
final class Connections {
  private static final String APPLICATION = "waymark topology";
  private static final int SECONDS = 10;

  private Connections() {}

  /**
   * A source of new connections.
   *
   * @throws IllegalArgumentException if the URL cannot be understood
   */
  static PGSimpleDataSource to(String url, Login login) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    if (login.user() != null) {
      source.setUser(login.user());
    }
    if (login.password() != null) {
      source.setPassword(login.password());
    }
    source.setApplicationName(APPLICATION);
    source.setConnectTimeout(SECONDS);
    source.setSocketTimeout(SECONDS);
    source.setTcpKeepAlive(true);
    return source;
  }

  /** The same for a connection that the caller makes by itself. */
  static Properties properties(Login login) {
    Properties properties = new Properties();
    if (login.user() != null) {
      properties.setProperty("user", login.user());
    }
    if (login.password() != null) {
      properties.setProperty("password", login.password());
    }
    properties.setProperty("ApplicationName", APPLICATION);
    properties.setProperty("connectTimeout", String.valueOf(SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }
}
