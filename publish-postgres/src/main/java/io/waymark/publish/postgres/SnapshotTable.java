package io.waymark.publish.postgres;

import io.waymark.core.OptionText;
import io.waymark.topology.SnapshotCodec;
import java.util.regex.Pattern;

/** The table, and all SQL about it. What is not ours is qualified, whatever the search path is. */
final class SnapshotTable {
  static final String DEFAULT_NAME = "waymark_snapshot";

  private static final Pattern NAME =
      Pattern.compile("[a-z_][a-z0-9_]{0,62}(\\.[a-z_][a-z0-9_]{0,62})?");

  /** Separates group and stamp in a notification; neither can hold it. */
  private static final char SEPARATOR = '\n';

  private final String name;

  /**
   * @param name of the table, with its schema or without; lower case, so that it needs no quotes
   * @throws IllegalArgumentException if it is no such name
   */
  SnapshotTable(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "table "
              + OptionText.quote(name)
              + " cannot be used. Accepted: a name in lower case, with or without a schema, such as"
              + " app.waymark_snapshot");
    }
    this.name = name;
  }

  String name() {
    return name;
  }

  /** The name of the channel for LISTEN, quoted. */
  String channel() {
    return '"' + name + '"';
  }

  /** Held while the table is created: IF NOT EXISTS does not save two at once from each other. */
  static String lock() {
    return "SELECT pg_catalog.pg_advisory_xact_lock(8317094126330150759)";
  }

  String exists() {
    return "SELECT pg_catalog.to_regclass('" + name + "') IS NOT NULL";
  }

  /**
   * The check keeps text by others out of it: what is stored is the encoded form of its row, so
   * that comparing the columns is comparing what readers see.
   */
  String create() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          group_name text PRIMARY KEY,
          authority text NOT NULL,
          epoch bigint NOT NULL,
          version bigint NOT NULL,
          encoded text NOT NULL CHECK (
            (encoded::json ->> 'group') = group_name
            AND (encoded::json ->> 'authority') = authority
            AND (encoded::json ->> 'epoch')::bigint = epoch
            AND (encoded::json ->> 'version')::bigint = version),
          written_at timestamptz NOT NULL DEFAULT pg_catalog.now()
        )"""
        .formatted(name);
  }

  String validate() {
    return "SELECT group_name, authority, epoch, version, encoded, written_at FROM "
        + name
        + " LIMIT 0";
  }

  /** Of what is too long to be a snapshot only so much that it can be told to be. */
  String read() {
    return "SELECT pg_catalog.substr(encoded, 1, "
        + (SnapshotCodec.LONGEST + 1)
        + ") FROM "
        + name
        + " WHERE group_name = ?";
  }

  String find() {
    return "SELECT authority, epoch, version, encoded FROM " + name + " WHERE group_name = ?";
  }

  String page() {
    return "SELECT group_name, authority, epoch, version FROM "
        + name
        + " WHERE group_name > ? ORDER BY group_name LIMIT 1000";
  }

  /**
   * One statement writes where the stamp allows it, and notifies if it wrote; a row tells that it
   * did. Parameters: group, authority, epoch, version, encoded; the authority, epoch and version
   * that may be replaced; channel, notification.
   */
  String write() {
    return """
        WITH written AS (
          INSERT INTO %s AS stored (group_name, authority, epoch, version, encoded)
          VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (group_name) DO UPDATE
          SET authority = excluded.authority, epoch = excluded.epoch, version = excluded.version,
            encoded = excluded.encoded, written_at = pg_catalog.now()
          WHERE (stored.authority = excluded.authority
              AND (stored.epoch, stored.version) < (excluded.epoch, excluded.version))
            OR (stored.authority = ? AND stored.epoch = ? AND stored.version = ?)
          RETURNING 1
        )
        SELECT pg_catalog.pg_notify(?, ?) FROM written"""
        .formatted(name);
  }

  static String notification(String group, String stamp) {
    return group + SEPARATOR + stamp;
  }

  /** Group and stamp of a notification; of another's only what stands before any line's end. */
  static String[] parts(String notification) {
    int end = notification.indexOf(SEPARATOR);
    return end < 0
        ? new String[] {notification, ""}
        : new String[] {notification.substring(0, end), notification.substring(end + 1)};
  }
}
