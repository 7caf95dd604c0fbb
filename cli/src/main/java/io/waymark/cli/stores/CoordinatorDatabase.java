package io.waymark.cli.stores;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.SchemaMode;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreBuilder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database of a coordinator, by the text that says where it is. Opens it, and never makes it.
 */
public final class CoordinatorDatabase {
  private static final String POSTGRES = "jdbc:postgresql:";

  /** What the service has settled is for the service to sweep. */
  private static final Duration KEEP = Duration.ofDays(3650);

  private final @Nullable Path file;
  private final @Nullable PGSimpleDataSource source;
  private final @Nullable String schema;

  private CoordinatorDatabase(
      @Nullable Path file, @Nullable PGSimpleDataSource source, @Nullable String schema) {
    this.file = file;
    this.source = source;
    this.schema = schema;
  }

  /**
   * Where a database is.
   *
   * @param option whose value the text is
   * @param where a {@code jdbc:postgresql:} URL, or a SQLite file
   * @param schema of the tables in PostgreSQL; null for the role's own
   * @throws OptionException if it cannot be one, or there is no such file
   */
  public static CoordinatorDatabase of(
      Option option, String where, Login login, @Nullable String schema) {
    if (where.startsWith(POSTGRES)) {
      return new CoordinatorDatabase(null, postgres(option, where, login), schema);
    }
    if (where.startsWith("jdbc:") || where.contains("://")) {
      throw OptionException.refused(option, where, "it is neither of PostgreSQL nor a file");
    }
    return new CoordinatorDatabase(file(option, where), null, null);
  }

  private static PGSimpleDataSource postgres(Option option, String where, Login login) {
    try {
      return Connections.to(where, login);
    } catch (IllegalArgumentException e) {
      throw OptionException.refused(option, where, "the driver does not understand it");
    }
  }

  private static Path file(Option option, String where) {
    try {
      Path file = Path.of(where);
      if (Files.isRegularFile(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // Then there is no such file either.
    }
    throw OptionException.refused(option, where, "there is no such file");
  }

  /** Whether other processes may use it at the same time. */
  public boolean isShared() {
    return source != null;
  }

  /**
   * Opens it.
   *
   * @throws SQLException if the server cannot be reached, or refuses the login
   * @throws io.waymark.durable.DurableStoreException if another process has the file, or it is no
   *     database of a coordinator
   */
  public DurableStore open() throws SQLException {
    DurableStoreBuilder builder;
    if (file != null) {
      builder = DurableStore.sqlite(file);
    } else if (source != null) {
      try (Connection connection = source.getConnection()) {
        connection.isValid(1); // a plain word about what is wrong, before the store wraps it
      }
      builder = DurableStore.postgres(source);
      if (schema != null) {
        builder.inSchema(schema);
      }
    } else {
      throw new IllegalStateException("it is either a file or a server");
    }
    return builder.schema(SchemaMode.VALIDATE).keepSettled(KEEP).open();
  }
}
