package io.waymark.durable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes items in the transaction of a caller's connection, of which it changes nothing else. Plain
 * JDBC: one statement with a text that never changes is what drivers prepare once, and the
 * connection is not ours to wrap.
 */
final class Staging {
  private static final String[] VERSION = {"version"};

  private final DurableStore store;
  private final OutboxSql sql;
  private final boolean sqlite;

  Staging(DurableStore store, OutboxSql sql) {
    this.store = store;
    this.sql = sql;
    this.sqlite = store.dialect() == Dialect.SQLITE;
  }

  /**
   * Writes them in this order.
   *
   * @param items sorted, no key twice
   */
  void write(Connection connection, List<Item> items) throws SQLException {
    for (List<Item> alike : runs(items)) {
      if (sqlite || alike.size() == 1 || alike.get(0).isCancellation()) {
        for (Item item : alike) {
          try (PreparedStatement statement =
              prepared(connection, item, item.isCancellation() ? sql.cancel : sql.stage)) {
            statement.executeUpdate();
          }
        }
      } else {
        try (PreparedStatement statement = connection.prepareStatement(sql.stage)) {
          batch(statement, alike);
        }
      }
    }
  }

  /**
   * As {@link #write}, and learns the versions, for which the server keeps each answer until it is
   * fetched.
   *
   * @return their versions; 0 for a cancellation that found nothing pending
   */
  List<Long> writeTracked(Connection connection, List<Item> items) throws SQLException {
    List<Long> versions = new ArrayList<>(items.size());
    for (List<Item> alike : runs(items)) {
      if (sqlite || alike.size() == 1 || alike.get(0).isCancellation()) {
        for (Item item : alike) {
          try (PreparedStatement statement =
                  prepared(
                      connection,
                      item,
                      item.isCancellation() ? sql.cancelTracked : sql.stageTracked);
              ResultSet row = statement.executeQuery()) {
            versions.add(row.next() ? row.getLong(1) : 0);
          }
        }
      } else {
        try (PreparedStatement statement = connection.prepareStatement(sql.stage, VERSION)) {
          batch(statement, alike);
          try (ResultSet rows = statement.getGeneratedKeys()) {
            while (rows.next()) {
              versions.add(rows.getLong(1));
            }
          }
        }
      }
    }
    return versions;
  }

  /** Neighbours of a kind: all cancellations, or none. */
  private static List<List<Item>> runs(List<Item> items) {
    List<List<Item>> runs = new ArrayList<>(1);
    int from = 0;
    while (from < items.size()) {
      int to = from + 1;
      while (to < items.size()
          && items.get(to).isCancellation() == items.get(from).isCancellation()) {
        to++;
      }
      runs.add(items.subList(from, to));
      from = to;
    }
    return runs;
  }

  private PreparedStatement prepared(Connection connection, Item item, String text)
      throws SQLException {
    if (!sql.nextVersion.isEmpty()) {
      try (PreparedStatement next = connection.prepareStatement(sql.nextVersion)) {
        next.executeUpdate();
      }
    }
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      bind(statement, item);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  /** Each item is a statement of its own; the driver sends them without waiting in between. */
  private void batch(PreparedStatement statement, List<Item> items) throws SQLException {
    for (Item item : items) {
      bind(statement, item);
      statement.addBatch();
    }
    statement.executeBatch();
  }

  private void bind(PreparedStatement statement, Item item) throws SQLException {
    int next = 1;
    statement.setString(next++, item.channel());
    statement.setString(next++, item.key());
    @Nullable String payload = item.payload();
    if (payload != null) {
      statement.setString(next++, payload);
    }
    if (store.clock().sql().equals(StoreClock.PARAMETER)) {
      statement.setLong(next, store.clock().micros().getAsLong());
    }
  }
}
