package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * For tools that take a URL and nothing else: {@code
 * jdbc:waymark:postgresql://primary,replica1,replica2/database?routing.maxLag=5s&sslmode=require}.
 *
 * <p>The first host is the primary, the others are replicas. Parameters by the paths of {@link
 * PostgresOption} are options of the data source, such as {@code max=5} or {@code
 * replicas[0].weight=2}; all others are properties of the PostgreSQL driver. User and password are
 * parameters too, or are given beside the URL. Where both say something the URL wins. A URL that
 * cannot be used is an {@link SQLException} with the message of an {@link OptionException} as its
 * cause.
 *
 * <p>All connections of a process with the same URL and properties share one {@link
 * WaymarkDataSource}, and so one session: a read sees what any of them wrote before. It is opened
 * by the first connection, and closed when none has been open for a minute, when the driver is
 * deregistered from the {@link DriverManager}, or, its threads being daemons, with the JVM. A
 * connection that is never closed keeps it open.
 *
 * <p>A read is declared with {@link Connection#setReadOnly}. Thread safe.
 */
public final class WaymarkDriver implements Driver {
  private static final String URL_STATE = "08001";
  private static final SharedDataSources SHARED = new SharedDataSources(Duration.ofMinutes(1));

  static {
    try {
      DriverManager.registerDriver(new WaymarkDriver(), SHARED::closeAll);
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SharedDataSources shared;

  /** For the service loader; all instances share their data sources. */
  public WaymarkDriver() {
    this(SHARED);
  }

  WaymarkDriver(SharedDataSources shared) {
    this.shared = shared;
  }

  /** Closes what all instances share; for tests that look for what is left. */
  static void closeAll() {
    SHARED.closeAll();
  }

  /**
   * A connection that reaches no server until a statement needs one; the first one with this URL
   * opens the data source.
   *
   * @return null if the URL is another driver's
   * @throws SQLException if the URL cannot be used, or the primary cannot be reached
   */
  @Override
  public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    try {
      return shared.connect(WaymarkUrl.parse(url, info == null ? new Properties() : info));
    } catch (OptionException e) {
      throw new SQLException(e.getMessage(), URL_STATE, e);
    }
  }

  /** Looks at the beginning only. */
  @Override
  public boolean acceptsURL(@Nullable String url) {
    return url != null && url.startsWith(WaymarkUrl.PREFIX);
  }

  /** The options and the driver's properties that a URL may have, without values that it has. */
  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info) {
    List<DriverPropertyInfo> all = new ArrayList<>();
    for (PostgresOption option : PostgresOption.values()) {
      if (WaymarkUrl.isParameter(option)) {
        all.add(info(option.path(), option));
      }
    }
    for (String name : DriverProperty.names()) {
      all.add(info(name, new DriverProperty(name)));
    }
    return all.toArray(DriverPropertyInfo[]::new);
  }

  private static DriverPropertyInfo info(String name, Option option) {
    String initial = option.defaultText().isEmpty() ? null : option.defaultText();
    DriverPropertyInfo info = new DriverPropertyInfo(name, initial);
    info.description = option.description();
    PGProperty known = PGProperty.forName(name);
    info.choices = known == null ? null : known.getChoices();
    return info;
  }

  @Override
  public int getMajorVersion() {
    return 0;
  }

  @Override
  public int getMinorVersion() {
    return 1;
  }

  /**
   * The specification's full SQL-92 entry level is not claimed, as PostgreSQL's driver does not.
   */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("logging goes to slf4j");
  }
}
