package io.waymark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A data source with all that it said of its routing. */
record RecordedDataSource(WaymarkDataSource db, List<RouteEvent> events) implements AutoCloseable {

  static RecordedDataSource open(
      WaymarkDataSourceBuilder builder, Consumer<WaymarkDataSourceBuilder> options)
      throws SQLException {
    List<RouteEvent> events = new CopyOnWriteArrayList<>();
    builder.onRoute(events::add);
    options.accept(builder);
    return new RecordedDataSource(builder.connect(), events);
  }

  Connection writer() throws SQLException {
    return db.getConnection();
  }

  Connection reader() throws SQLException {
    Connection connection = db.getConnection();
    connection.setReadOnly(true);
    return connection;
  }

  /** Runs a statement in autocommit on a connection of its own. */
  void write(String sql) throws SQLException {
    try (Connection connection = writer()) {
      Jdbc.execute(connection, sql);
    }
  }

  /** Reads one value on a read-only connection of its own. */
  String read(String sql) throws SQLException {
    try (Connection connection = reader()) {
      return Jdbc.one(connection, sql);
    }
  }

  RouteEvent lastEvent() {
    return events.get(events.size() - 1);
  }

  String lastReason() {
    return lastEvent().reason();
  }

  EndpointStatus status(String endpoint) {
    return db.endpoints().stream()
        .filter(status -> status.name().equals(endpoint))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    db.close();
  }
}
