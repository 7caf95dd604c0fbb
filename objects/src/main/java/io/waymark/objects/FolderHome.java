package io.waymark.objects;

import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreBuilder;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.Migrations;
import io.waymark.durable.StoreError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A folder with a SQLite file for each name. The owner of a file is who holds the lock that the
 * store takes beside it, and nothing else says who that is.
 */
final class FolderHome implements Home {
  static final Migrations TABLES = Migrations.of("objects", FolderHome.class, "0001_object.sql");

  private final Path folder;
  private final UnaryOperator<DurableStoreBuilder> options;

  FolderHome(Path folder, UnaryOperator<DurableStoreBuilder> options) {
    this.folder = folder;
    this.options = options;
  }

  private record Whose(String name, Optional<String> placement) {}

  private record File(ObjectContext context) implements Place {
    @Override
    public boolean isLost() {
      return false; // the lock ends with the process
    }

    @Override
    public void close() {
      context.store().close();
    }
  }

  @Override
  public Place open(String name, @Nullable String hint) {
    DurableStore store = store(name);
    try {
      store.migrate(TABLES);
      Whose whose = store.inTransaction(tx -> whose(tx.unwrap(Handle.class), name, hint));
      if (!whose.name().equals(name)) {
        throw new ObjectException(
            ObjectError.FOREIGN_FILE,
            "the file of " + name + ", " + store.file() + ", was made for " + whose.name());
      }
      return new File(new ObjectContext(name, store, whose.placement()));
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private DurableStore store(String name) {
    try {
      return options.apply(DurableStore.sqlite(folder.resolve(ObjectNames.file(name)))).open();
    } catch (DurableStoreException e) {
      if (e.error() == StoreError.IN_USE) {
        throw new ObjectException(
            ObjectError.ELSEWHERE,
            "the file of " + name + " is open in another process, or in other objects of this one",
            e);
      }
      throw e;
    }
  }

  private static Whose whose(Handle handle, String name, @Nullable String hint) {
    handle
        .createUpdate(
            "INSERT INTO waymark_object (one, name, placement) VALUES (1, :name, :hint)"
                + " ON CONFLICT (one) DO NOTHING")
        .bind("name", name)
        .bind("hint", hint)
        .execute();
    return handle
        .createQuery("SELECT name, placement FROM waymark_object")
        .map(
            (row, context) ->
                new Whose(row.getString("name"), Optional.ofNullable(row.getString("placement"))))
        .one();
  }

  @Override
  public List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> ObjectNames.ofFile(String.valueOf(file.getFileName())))
          .flatMap(Optional::stream)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the folder " + folder + " cannot be read", e);
    }
  }

  @Override
  public void close() {
    // Nothing is open but what places have.
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
