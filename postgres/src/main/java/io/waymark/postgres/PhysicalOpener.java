package io.waymark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Opens connections to one endpoint with the driver itself. Thread safe. */
final class PhysicalOpener {
  private final EndpointConfig endpoint;
  private final Optional<String> user;
  private final Optional<Supplier<String>> password;
  private final java.sql.Driver driver;
  private final Properties base;
  private final String address;
  private final Properties parameters;

  /**
   * @param driver PostgreSQL's, or one that makes {@link org.postgresql.core.BaseConnection}s too
   */
  PhysicalOpener(java.sql.Driver driver, WaymarkDataSourceConfig config, EndpointConfig endpoint) {
    this.driver = driver;
    this.endpoint = endpoint;
    this.user = config.user();
    this.password = config.password();
    this.base = base(config);
    this.address = endpoint.url().split("\\?", 2)[0];
    this.parameters = parameters(endpoint.url());
  }

  private static final List<PGProperty> ADDRESS =
      List.of(PGProperty.PG_HOST, PGProperty.PG_PORT, PGProperty.PG_DBNAME);

  /** What stands behind the address: it may be secret, and the driver logs the URL that it gets. */
  private static Properties parameters(String url) {
    Properties parameters = new Properties();
    Properties parsed = Driver.parseURL(url, null);
    if (parsed != null) {
      parameters.putAll(parsed);
    }
    ADDRESS.forEach(property -> parameters.remove(property.getName()));
    return parameters;
  }

  /** Behind a pooler, what is prepared in one session is not there in the next. */
  private static Properties base(WaymarkDataSourceConfig config) {
    Properties base = new Properties();
    if (config.sharesSessions()) {
      PGProperty.PREPARE_THRESHOLD.set(base, 0);
    }
    base.putAll(config.properties());
    return base;
  }

  /**
   * Opens a connection.
   *
   * @param connectTimeout how long each attempt to connect may take; whole seconds, at least one
   * @param socketTimeout how long the server may stay silent while the connection is set up
   */
  Connection open(Duration connectTimeout, Duration socketTimeout) throws SQLException {
    return open(new Properties(), connectTimeout, socketTimeout);
  }

  /**
   * Opens a connection that takes replication commands too, for a role that may.
   *
   * @param timeout as for {@link #open}, for both
   */
  Connection openForReplication(Duration timeout) throws SQLException {
    Properties mode = new Properties();
    PGProperty.REPLICATION.set(mode, "database");
    PGProperty.PREFER_QUERY_MODE.set(mode, "simple"); // such a server session takes no other
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(mode, "13");
    return open(mode, timeout, timeout);
  }

  private Connection open(Properties mode, Duration connectTimeout, Duration socketTimeout)
      throws SQLException {
    Properties properties = new Properties();
    properties.putAll(base);
    user.ifPresent(name -> PGProperty.USER.set(properties, name));
    if (password.isPresent()) {
      PGProperty.PASSWORD.set(properties, askPassword(password.get()));
    }
    PGProperty.CONNECT_TIMEOUT.set(properties, String.valueOf(wholeSeconds(connectTimeout)));
    PGProperty.SOCKET_TIMEOUT.set(properties, String.valueOf(wholeSeconds(socketTimeout)));
    properties.putAll(parameters);
    properties.putAll(mode);
    Connection connection = driver.connect(address, properties);
    if (connection == null) {
      throw new SQLException(
          "the driver does not accept the URL of endpoint " + endpoint.name(), "08001");
    }
    return connection;
  }

  /** What the supplier threw may repeat a secret: it is not repeated here. */
  private String askPassword(Supplier<String> supplier) throws SQLException {
    try {
      String secret = supplier.get();
      if (secret != null) {
        return secret;
      }
    } catch (RuntimeException e) {
      throw new SQLException(
          "the supplier of the password for endpoint "
              + endpoint.name()
              + " threw "
              + e.getClass().getName(),
          "08001");
    }
    throw new SQLException(
        "the supplier of the password for endpoint " + endpoint.name() + " returned null", "08001");
  }

  /**
   * The socket timeout that URL or properties ask for, 0 for none: for connections that are in use.
   */
  int socketTimeoutMillis() {
    Properties parsed = Driver.parseURL(endpoint.url(), base);
    String seconds = parsed == null ? null : PGProperty.SOCKET_TIMEOUT.getOrNull(parsed);
    try {
      return seconds == null ? 0 : Math.multiplyExact(Integer.parseInt(seconds), 1000);
    } catch (NumberFormatException | ArithmeticException e) {
      return 0; // the driver has refused it already
    }
  }

  private static long wholeSeconds(Duration duration) {
    return Math.max(1, (duration.toMillis() + 999) / 1000);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "PhysicalOpener[%s]", endpoint.name());
  }
}
