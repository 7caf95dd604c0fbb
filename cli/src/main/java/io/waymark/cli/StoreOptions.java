package io.waymark.cli;

import io.waymark.cli.stores.Login;
import io.waymark.cli.stores.PublishedStore;
import io.waymark.core.OptionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where groups are published. */
final class StoreOptions {
  static final String VARIABLE = "WAYMARK_STORE";
  static final String PASSWORD_VARIABLE = "WAYMARK_STORE_PASSWORD";

  static final CliOption STORE =
      new CliOption(
          "--store",
          "jdbc:postgresql://host/database, redis://host:port, rediss://host:port,"
              + " etcd://host:port or a directory");
  private static final CliOption PASSWORD_FILE =
      new CliOption("--store-password-file", "a file that holds the password and nothing else");

  @Option(
      names = "--store",
      paramLabel = "WHERE",
      description = {
        "Where groups are published: jdbc:postgresql://…, redis://host:port, etcd://host:port or",
        "a directory; default: " + VARIABLE + " in the environment."
      })
  private @Nullable String store;

  @Option(
      names = "--store-name",
      paramLabel = "NAME",
      description = "The table there (PostgreSQL) or prefix (Redis, etcd), if not the usual one.")
  private @Nullable String name;

  @Option(
      names = "--store-user",
      paramLabel = "NAME",
      description = {
        "Who reads there; by default, in PostgreSQL, who reads the database. The password is taken",
        "from " + PASSWORD_VARIABLE + " in the environment, or:"
      })
  private @Nullable String user;

  @Option(
      names = "--store-password-file",
      paramLabel = "FILE",
      description = "A file with the password.")
  private @Nullable String passwordFile;

  StoreOptions() {}

  /**
   * The store; null where none was named.
   *
   * @param same who connects to the database, and to a store in PostgreSQL unless another is named
   */
  @Nullable PublishedStore find(Login same) {
    String where = store != null ? store : System.getenv(VARIABLE);
    if (where == null) {
      return null;
    }
    String password = Passwords.read(PASSWORD_FILE, passwordFile, PASSWORD_VARIABLE);
    boolean own = user != null || password != null || !where.startsWith("jdbc:postgresql:");
    return PublishedStore.of(STORE, where, own ? new Login(user, password) : same, name);
  }

  /** The store, which must be named. */
  PublishedStore require(Login same) {
    PublishedStore found = find(same);
    if (found == null) {
      throw OptionException.missing(STORE);
    }
    return found;
  }
}
