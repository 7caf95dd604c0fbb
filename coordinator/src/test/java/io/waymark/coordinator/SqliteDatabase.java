package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreBuilder;
import io.waymark.durable.StoreSeams;
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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A SQLite file in a folder of its own. */
final class SqliteDatabase implements TestDatabase {
  private final Path folder;

  SqliteDatabase() {
    try {
      folder = Files.createTempDirectory("waymark-coordinator-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file() {
    return folder.resolve("topology.db");
  }

  @Override
  public DurableStoreBuilder store(UnaryOperator<Connection> watched) {
    return StoreSeams.watched(DurableStore.sqlite(file()), watched);
  }

  @Override
  public Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("busy_timeout", "10000");
    return DriverManager.getConnection("jdbc:sqlite:" + file(), settings);
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
