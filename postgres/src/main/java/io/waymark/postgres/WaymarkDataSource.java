package io.waymark.postgres;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/** To be told. */
public final class WaymarkDataSource {
  private WaymarkDataSource() {}

  /** Starts the configuration of a data source; nothing is opened before {@code connect()}. */
  public static WaymarkDataSourceBuilder builder() {
    return new WaymarkDataSourceBuilder();
  }

  @SuppressWarnings("DoNotCallSuggester") // until there is something to connect
  static WaymarkDataSource connect(WaymarkDataSourceConfig config) throws SQLException {
    throw new SQLFeatureNotSupportedException("not built yet: " + config);
  }
}
