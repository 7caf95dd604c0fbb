package io.waymark.durable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** A SQLite file in a folder of its own. */
final class SqliteDatabase implements TestDatabase {
  private final Path folder;

  SqliteDatabase() {
    try {
      folder = Files.createTempDirectory("waymark-durable-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file() {
    return folder.resolve("store.db");
  }

  @Override
  public DurableStoreBuilder store() {
    return DurableStore.sqlite(file());
  }

  @Override
  public DurableStoreBuilder store(TestTime time) {
    return store().ticker(time).clock(new StoreClock(StoreClock.PARAMETER, time::micros));
  }

  @Override
  public Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("busy_timeout", "10000");
    settings.setProperty("transaction_mode", "IMMEDIATE");
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file(), settings);
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
