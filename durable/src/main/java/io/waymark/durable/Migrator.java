package io.waymark.durable;

import io.waymark.core.SchemaMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Brings the tables of one set of migrations to where this version needs them, or says why they are
 * not there. All missing steps are made in one transaction under a lock, so a crash leaves all or
 * none. A store that is up to date is only read: its role needs no rights to change tables.
 */
final class Migrator {
  private static final String HISTORY = "waymark_schema";

  private record Applied(String file, String checksum) {}

  private final DurableStore store;
  private final Migrations migrations;
  private final List<Migrations.Step> steps;

  Migrator(DurableStore store, Migrations migrations) {
    this.store = store;
    this.migrations = migrations;
    this.steps = migrations.steps(store.dialect());
  }

  void run(SchemaMode mode) {
    if (mode == SchemaMode.NONE) {
      return;
    }
    int done = store.withHandle(this::check);
    if (done == steps.size()) {
      return;
    }
    if (mode == SchemaMode.VALIDATE) {
      throw refused(
          "lacks step "
              + steps.get(done).file()
              + "; open the store once with schema CREATE, by a role that may create tables");
    }
    store.inTransaction(
        tx -> {
          create(tx.handle());
          return steps.size();
        });
  }

  private void create(Handle handle) {
    handle.createQuery(store.dialect().migrationLock()).mapTo(Integer.class).one();
    if (!historyExists(handle)) {
      handle.execute(
          "CREATE TABLE "
              + history()
              + " (set_name varchar(63) NOT NULL, step integer NOT NULL, file varchar(200) NOT NULL,"
              + " checksum varchar(64) NOT NULL, PRIMARY KEY (set_name, step))");
    }
    int done = check(handle); // somebody else may have been quicker
    for (Migrations.Step step : steps.subList(done, steps.size())) {
      for (String statement : step.text().split(";\\s*\\R", -1)) {
        if (!statement.isBlank()) {
          execute(handle, statement.replace("{s}", store.tablePrefix()));
        }
      }
      handle.execute(
          "INSERT INTO " + history() + " (set_name, step, file, checksum) VALUES (?, ?, ?, ?)",
          migrations.name(),
          step.number(),
          step.file(),
          checksum(step.text()));
    }
  }

  /** Past Jdbi, which would look for parameters in the DDL. */
  private static void execute(Handle handle, String ddl) {
    try (Statement statement = handle.getConnection().createStatement()) {
      statement.execute(ddl);
    } catch (SQLException e) {
      throw new DurableStoreException(
          StoreError.FAILED, "a step of the schema failed: " + e.getMessage(), e);
    }
  }

  /** How many steps were made; refuses what this version does not know. */
  private int check(Handle handle) {
    Map<Integer, Applied> applied = applied(handle);
    for (Map.Entry<Integer, Applied> each : applied.entrySet()) {
      int number = each.getKey();
      if (number > steps.size()) {
        throw refused(
            "has step "
                + each.getValue().file()
                + ", which this version does not know; use a version that is at least as new as the"
                + " one that made it");
      }
      Migrations.Step step = steps.get(number - 1);
      if (!checksum(step.text()).equals(each.getValue().checksum())) {
        throw refused(
            "has a step "
                + each.getValue().file()
                + " that differs from this version's; it was made by a build that was never"
                + " published, or changed by hand");
      }
    }
    return applied.size();
  }

  private Map<Integer, Applied> applied(Handle handle) {
    Map<Integer, Applied> applied = new LinkedHashMap<>();
    if (historyExists(handle)) {
      handle
          .createQuery(
              "SELECT step, file, checksum FROM "
                  + history()
                  + " WHERE set_name = :set ORDER BY step")
          .bind("set", migrations.name())
          .map(
              (row, context) ->
                  Map.entry(row.getInt(1), new Applied(row.getString(2), row.getString(3))))
          .forEach(row -> applied.put(row.getKey(), row.getValue()));
    }
    return applied;
  }

  private boolean historyExists(Handle handle) {
    return handle
            .createQuery(store.dialect().tableExists())
            .bind("table", history())
            .mapTo(Integer.class)
            .one()
        > 0;
  }

  private String history() {
    return store.tablePrefix() + HISTORY;
  }

  private DurableStoreException refused(String what) {
    return new DurableStoreException(
        StoreError.SCHEMA,
        "the schema \"" + migrations.name() + "\" of " + store.name() + " " + what + ".");
  }

  private static String checksum(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(text.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
