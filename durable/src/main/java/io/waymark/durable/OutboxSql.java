package io.waymark.durable;

/**
 * All statements of the outbox. They touch single rows; those that change a row without a caller's
 * transaction around them pass over rows that others have locked.
 *
 * <p>A row is <em>pending</em> while it has a payload, <em>claimed</em> while it has a token, and
 * looked at again when it is due. A claim makes it due at the end of its lease, so that a claim
 * whose owner died needs no care of its own.
 */
final class OutboxSql {
  static final Migrations MIGRATIONS = Migrations.of("outbox", OutboxSql.class, "0001_outbox.sql");

  /** SQLite: run before {@link #stage} and {@link #cancel}; empty on PostgreSQL. */
  final String nextVersion;

  /**
   * Channel, key, payload, and on SQLite now. The version of a row that is there is drawn when the
   * row is locked, so versions of a key have the order of the commits. A row that is due keeps its
   * place: a key that is staged all the time is not put off by it, and no index is touched.
   */
  final String stage;

  /** As {@link #stage}, and answers with the version. */
  final String stageTracked;

  /**
   * Channel, key, and on SQLite now: from here on nothing is pending; an attempt under way keeps
   * its claim.
   */
  final String cancel;

  /** As {@link #cancel}, and answers with the version, if there was anything to cancel. */
  final String cancelTracked;

  /** Claims the earliest due row of a channel. */
  final String claim;

  /** The value arrived: settled, unless something else was staged meanwhile. */
  final String delivered;

  /** The value did not arrive, or not finally: due again later, or now if something was staged. */
  final String again;

  /** Whose the claim of a row is. */
  final String claimOf;

  /** Microseconds until the earliest row of a channel is due. */
  final String untilDue;

  /** The names of all channels that have rows. */
  final String channels;

  /** Removes rows of a channel that had nothing pending for long enough, below a version. */
  final String sweep;

  /** PostgreSQL: a version that is later than all that were drawn before; else empty. */
  final String drawVersion;

  /** PostgreSQL: the transactions that have begun to write to the table; else empty. */
  final String writers;

  /** Makes rows due whose times lie ahead of the clock, because that was set back. */
  final String repair;

  /** SQLite, when opened: claims of a process that is gone. */
  final String releaseAll;

  /** One row, for those who ask. */
  final String find;

  /** Pending rows in the order of channel and key, after a given one. */
  final String pending;

  /** How much is pending, by channel. */
  final String backlog;

  OutboxSql(DurableStore store) {
    boolean postgres = store.dialect() == Dialect.POSTGRES;
    Words words = new Words(store, postgres);
    nextVersion =
        postgres ? "" : words.in("UPDATE {s}waymark_outbox_version SET value = value + 1");
    String drawn =
        postgres
            ? "nextval('{s}waymark_outbox_version')"
            : "(SELECT value FROM {s}waymark_outbox_version)";
    stage =
        words.positional(
            "INSERT INTO {s}waymark_outbox AS o (channel, item_key, version, payload, staged_at, due_at)"
                + " VALUES ({channel}, {key}, "
                + drawn
                + ", {payload}, {now}, {now})"
                + " ON CONFLICT (channel, item_key) DO UPDATE SET version = "
                + drawn
                + ", payload = excluded.payload, staged_at = excluded.staged_at,"
                + " due_at = CASE WHEN o.claim_token IS NOT NULL OR o.due_at < excluded.due_at"
                + " THEN o.due_at ELSE excluded.due_at END,"
                + " attempts = 0, last_error = NULL");
    stageTracked = stage + " RETURNING version";
    cancel =
        words.positional(
            "UPDATE {s}waymark_outbox SET version = "
                + drawn
                + ", payload = NULL, attempts = 0, last_error = NULL,"
                + " due_at = CASE WHEN claim_token IS NULL THEN NULL ELSE due_at END,"
                + " settled_at = "
                + (store.clock().sql().equals(StoreClock.PARAMETER) ? "?3" : store.clock().sql())
                + " WHERE channel = {channel} AND item_key = {key} AND payload IS NOT NULL");
    cancelTracked = cancel + " RETURNING version";
    String mine =
        " WHERE (channel, item_key) = (SELECT channel, item_key FROM {s}waymark_outbox"
            + " WHERE channel = :channel AND item_key = :key"
            + " AND claim_owner = :owner AND claim_token = :token {lock})";
    String free = " claim_owner = NULL, claim_token = NULL";
    claim =
        words.in(
            "UPDATE {s}waymark_outbox SET claim_owner = :owner, claim_token = :token,"
                + " due_at = {now} + :lease, attempts = attempts + 1, attempted_at = {now}"
                + " WHERE (channel, item_key) = (SELECT channel, item_key FROM {s}waymark_outbox"
                + " WHERE channel = :channel AND due_at <= {now} ORDER BY due_at LIMIT 1 {lock})"
                + " RETURNING item_key, version, payload, attempts, staged_at, {now} - staged_at AS age");
    delivered =
        words.in(
            "UPDATE {s}waymark_outbox SET"
                + free
                + ", delivered_version = :version,"
                + " due_at = CASE WHEN version = :version OR payload IS NULL THEN NULL ELSE {now} END,"
                + " settled_at = CASE WHEN version = :version OR payload IS NULL THEN {now} ELSE settled_at END,"
                + " payload = CASE WHEN version = :version THEN NULL ELSE payload END,"
                + " attempts = 0, last_error = NULL"
                + mine
                + " RETURNING version, due_at");
    again =
        words.in(
            "UPDATE {s}waymark_outbox SET"
                + free
                + ", due_at = CASE WHEN payload IS NULL THEN NULL"
                + " WHEN version = :version THEN {now} + :wait ELSE {now} END,"
                + " settled_at = CASE WHEN payload IS NULL THEN {now} ELSE settled_at END,"
                + " last_error = CASE WHEN version = :version THEN :error ELSE last_error END,"
                + " attempts = CASE WHEN version = :version THEN :attempts ELSE attempts END"
                + mine
                + " RETURNING version, due_at");
    claimOf =
        words.in(
            "SELECT count(*) FROM {s}waymark_outbox WHERE channel = :channel AND item_key = :key"
                + " AND claim_owner = :owner AND claim_token = :token");
    untilDue =
        words.in(
            "SELECT due_at - {now} FROM {s}waymark_outbox"
                + " WHERE channel = :channel AND due_at IS NOT NULL ORDER BY due_at LIMIT 1");
    channels =
        words.in(
            // One step into the index for each channel.
            "WITH RECURSIVE named (channel) AS (SELECT min(channel) FROM {s}waymark_outbox"
                + " UNION ALL SELECT (SELECT min(o.channel) FROM {s}waymark_outbox o"
                + " WHERE o.channel > named.channel) FROM named WHERE named.channel IS NOT NULL)"
                + " SELECT channel FROM named WHERE channel IS NOT NULL");
    sweep =
        words.in(
            // Materialized: a plan that ran the limited query again for each row would remove more.
            // Ordered as the index is, whose first rows they are.
            "WITH old AS MATERIALIZED (SELECT channel, item_key FROM {s}waymark_outbox"
                + " WHERE channel = :channel AND due_at IS NULL AND settled_at < {now} - :keep"
                + " AND version < :below ORDER BY due_at, settled_at LIMIT :most {lock})"
                + " DELETE FROM {s}waymark_outbox"
                + " WHERE (channel, item_key) IN (SELECT channel, item_key FROM old)");
    drawVersion = postgres ? words.in("SELECT " + drawn) : "";
    writers =
        postgres
            ? words.in(
                "SELECT virtualtransaction FROM pg_catalog.pg_locks WHERE locktype = 'relation'"
                    + " AND mode = 'RowExclusiveLock' AND granted"
                    + " AND database = (SELECT oid FROM pg_catalog.pg_database"
                    + " WHERE datname = current_database())"
                    + " AND relation = '{s}waymark_outbox'::regclass")
            : "";
    repair =
        words.in(
            "WITH early AS MATERIALIZED (SELECT channel, item_key FROM {s}waymark_outbox"
                + " WHERE due_at IS NOT NULL"
                + " AND (staged_at > {now} + :slack OR attempted_at > {now} + :slack) {lock})"
                + " UPDATE {s}waymark_outbox SET due_at = {now}, staged_at = {now}, attempted_at = {now}"
                + " WHERE (channel, item_key) IN (SELECT channel, item_key FROM early)");
    releaseAll =
        words.in(
            "UPDATE {s}waymark_outbox SET"
                + free
                + ", due_at = CASE WHEN payload IS NULL THEN NULL ELSE {now} END"
                + " WHERE claim_token IS NOT NULL");
    String columns =
        "SELECT channel, item_key, version, payload IS NOT NULL AS pending, staged_at, due_at,"
            + " attempts, claim_owner, delivered_version, last_error, {now} AS now"
            + " FROM {s}waymark_outbox";
    find = words.in(columns + " WHERE channel = :channel AND item_key = :key");
    pending =
        words.in(
            columns
                + " WHERE payload IS NOT NULL AND channel = :channel AND item_key > :after"
                + " ORDER BY item_key LIMIT :most");
    backlog =
        words.in(
            "SELECT channel, count(*) AS pending, sum(CASE WHEN last_error IS NULL THEN 0 ELSE 1 END)"
                + " AS failing, {now} - min(staged_at) AS oldest FROM {s}waymark_outbox"
                + " WHERE payload IS NOT NULL GROUP BY channel ORDER BY channel");
  }

  /** Puts the store's own words into a statement. */
  private record Words(DurableStore store, boolean postgres) {
    String in(String sql) {
      return sql.replace("{s}", store.tablePrefix())
          .replace("{now}", store.clock().sql())
          .replace("{lock}", store.dialect().rowLock());
    }

    /** For plain JDBC on a caller's connection. */
    String positional(String sql) {
      String now = store.clock().sql();
      boolean bound = now.equals(StoreClock.PARAMETER);
      return sql.replace("{s}", store.tablePrefix())
          .replace("{channel}", postgres ? "?" : "?1")
          .replace("{key}", postgres ? "?" : "?2")
          .replace("{payload}", postgres ? "?" : "?3")
          .replace("{now}", bound ? "?4" : now);
    }
  }
}
