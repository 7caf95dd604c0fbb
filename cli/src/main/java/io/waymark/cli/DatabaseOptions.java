package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.cli.stores.Login;
import io.waymark.core.OptionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a coordinator's database is. */
final class DatabaseOptions {
  static final String VARIABLE = "WAYMARK_DATABASE";

  private static final CliOption DATABASE =
      new CliOption("--database", "a jdbc:postgresql: URL or a SQLite file that exists");
  private static final CliOption PASSWORD_FILE =
      new CliOption("--password-file", "a file that holds the password and nothing else");

  @Option(
      names = "--database",
      paramLabel = "WHERE",
      description = {
        "The coordinator's database: a jdbc:postgresql: URL or a SQLite file;",
        "default: " + VARIABLE + " in the environment."
      })
  private @Nullable String database;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      description = "PostgreSQL: the schema of its tables; default: the role's own.")
  private @Nullable String schema;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = {
        "The login role where the URL names none. Its password is taken from",
        ServerOptions.PASSWORD_VARIABLE + " in the environment, or:"
      })
  private @Nullable String user;

  @Option(names = "--password-file", paramLabel = "FILE", description = "A file with the password.")
  private @Nullable String passwordFile;

  DatabaseOptions() {}

  private @Nullable String where() {
    return database != null ? database : System.getenv(VARIABLE);
  }

  /** Who connects to the database. */
  Login login() {
    return new Login(
        user, Passwords.read(PASSWORD_FILE, passwordFile, ServerOptions.PASSWORD_VARIABLE));
  }

  /** The database; null where none was named. */
  @Nullable CoordinatorDatabase find() {
    String where = where();
    return where == null ? null : CoordinatorDatabase.of(DATABASE, where, login(), schema);
  }

  /** The database, which must be named. */
  CoordinatorDatabase require() {
    CoordinatorDatabase found = find();
    if (found == null) {
      throw OptionException.missing(DATABASE);
    }
    return found;
  }
}
