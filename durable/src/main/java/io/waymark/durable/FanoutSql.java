package io.waymark.durable;

/**
 * All statements of the fan-out. Statements that claim pass over rows that others have locked;
 * those that settle name their rows, which nobody but the owner of the claim changes.
 *
 * <p>A row of a delivery is there until its target has settled it. It is looked at again when it is
 * due; a claim makes it due at the end of its lease, so that a claim whose owner died needs no care
 * of its own. Its {@code phase} keeps rows that were never attempted, those that were, and those
 * that are meant for the dead letters in three queues of one index, each in the order of due times.
 */
final class FanoutSql {
  static final Migrations MIGRATIONS = Migrations.of("fanout", FanoutSql.class, "0001_fanout.sql");

  static final int NEW = 0;
  static final int ATTEMPTED = 1;
  static final int DEAD = 2;

  // ---- names -----------------------------------------------------------------------------------

  final String fanoutId;
  final String newFanout;
  final String targets;
  final String newTarget;

  // ---- accepting, on a caller's connection ------------------------------------------------------

  /**
   * PostgreSQL: all messages at once. SQLite: one. Returns number and key of those that are new.
   */
  final String message;

  /** What is there of a key. */
  final String existing;

  /** Takes messages back that were inserted in this transaction. */
  final String unwritten;

  /** PostgreSQL: all deliveries at once. SQLite: one. */
  final String delivery;

  /** Counts in a caller's transaction, without touching a row that others want to count in. */
  final String count;

  // ---- delivering ------------------------------------------------------------------------------

  /** Counts in a short transaction of our own, in a row that nobody else holds. */
  final String countHere;

  /** The same with plain parameters, target and change. */
  final String countAccepted;

  final String untilDue;
  final String untilDeadDue;

  /** Claims due rows: those never attempted before the others, each kind by the time it is due. */
  final String claim;

  /** Claims one row that is meant for the dead letters. */
  final String claimDead;

  final String messages;
  final String again;
  final String giveBack;
  final String dead;
  final String remove;
  final String settleMessages;
  final String removeMessages;

  /** SQLite, when opened: claims of a process that is gone. */
  final String release;

  /** Whether the newest message is from later than now: then the clock was set back. */
  final String fromLater;

  /** Makes due what would wait for a clock that was set back. */
  final String makeDue;

  // ---- for whoever asks ------------------------------------------------------------------------

  final String backlog;
  final String backlogRows;
  final String fold;
  final String deliveries;

  FanoutSql(DurableStore store) {
    boolean postgres = store.dialect() == Dialect.POSTGRES;
    Words words = new Words(store, postgres);

    fanoutId = words.in("SELECT id FROM {fanout} WHERE name = :name");
    newFanout = words.in("INSERT INTO {fanout} (name) VALUES (:name) ON CONFLICT DO NOTHING");
    targets = words.in("SELECT id, name FROM {target} WHERE fanout = :fanout ORDER BY id");
    newTarget =
        words.in(
            "INSERT INTO {target} (fanout, name) VALUES (:fanout, :name) ON CONFLICT DO NOTHING");

    String columns =
        "INSERT INTO {message} (fanout, remaining, targets, accepted_at, dedup_key, message_id,"
            + " generation, body) ";
    message =
        words.positional(
            postgres
                // In the order of keys, so that two who accept the same ones wait in no circle.
                ? columns
                    + "SELECT ?, ?, ?, {now}, k, i, g, b FROM unnest(?::text[], ?::text[], ?::text[],"
                    + " ?::text[]) AS e (k, i, g, b) ORDER BY k COLLATE \"C\""
                    + " ON CONFLICT (fanout, dedup_key) DO NOTHING RETURNING seq, dedup_key"
                : columns
                    + "VALUES (?1, ?2, ?3, ?8, ?4, ?5, ?6, ?7)"
                    + " ON CONFLICT (fanout, dedup_key) DO NOTHING RETURNING seq, dedup_key");
    existing =
        words.positional(
            "SELECT message_id, targets, body FROM {message} WHERE fanout = ? AND dedup_key = ?");
    unwritten = words.positional("DELETE FROM {message} WHERE seq " + words.anyOf("?"));
    delivery =
        words.positional(
            postgres
                ? "INSERT INTO {delivery} (target, phase, due_at, message, attempts)"
                    + " SELECT t, 0, (({now} + w - 1) / w) * w, m, 0"
                    + " FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) WITH ORDINALITY"
                    + " AS e (t, m, w, n) ORDER BY n"
                : "INSERT INTO {delivery} (target, phase, due_at, message, attempts)"
                    + " VALUES (?1, 0, ((?4 + ?3 - 1) / ?3) * ?3, ?2, 0)");
    count =
        words.positional(
            postgres
                ? "INSERT INTO {backlog} (target, pending) VALUES (?, ?)"
                : "UPDATE {backlog} SET pending = pending + ?2 WHERE target = ?1");
    String countShort =
        postgres
            ? "WITH given AS (SELECT CAST({t} AS bigint) AS target, CAST({c} AS bigint) AS change),"
                + " free AS MATERIALIZED (SELECT b.id FROM {backlog} b WHERE b.target ="
                + " (SELECT target FROM given) LIMIT 1 FOR UPDATE SKIP LOCKED),"
                + " counted AS (UPDATE {backlog} SET pending = pending + (SELECT change FROM given)"
                + " WHERE id = (SELECT id FROM free) RETURNING id)"
                + " INSERT INTO {backlog} (target, pending) SELECT target, change FROM given"
                + " WHERE NOT EXISTS (SELECT 1 FROM counted)"
            : "UPDATE {backlog} SET pending = pending + {c} WHERE target = {t}";
    countHere = words.in(countShort.replace("{t}", ":target").replace("{c}", ":change"));
    countAccepted =
        words.positional(
            countShort.replace("{t}", postgres ? "?" : "?1").replace("{c}", postgres ? "?" : "?2"));

    untilDue =
        words.in(
            "SELECT min(due_at) - {now} FROM (SELECT * FROM (SELECT due_at FROM {delivery}"
                + " WHERE target = :target AND phase = 0 ORDER BY due_at LIMIT 1) AS fresh"
                + " UNION ALL SELECT * FROM (SELECT due_at FROM {delivery}"
                + " WHERE target = :target AND phase = 1 ORDER BY due_at LIMIT 1) AS again) AS first");
    untilDeadDue =
        words.in(
            "SELECT due_at - {now} FROM {delivery} WHERE target = :target AND phase = 2"
                + " ORDER BY due_at LIMIT 1");
    String due =
        "SELECT seq, due_at FROM {delivery} WHERE target = :target AND phase = %d AND due_at <= {now}"
            + " ORDER BY due_at, seq LIMIT %%1$d {lock}";
    claim =
        words.in(
            "WITH fresh AS MATERIALIZED ("
                + String.format(due, NEW)
                + "), tried AS MATERIALIZED ("
                + String.format(due, ATTEMPTED)
                + ") UPDATE {delivery} SET phase = 1, claim_owner = :owner, claim_token = :token,"
                + " due_at = {now} + :lease, attempts = attempts + 1"
                + " WHERE seq IN (SELECT seq FROM (SELECT 0 AS kind, seq, due_at FROM fresh"
                + " UNION ALL SELECT 1 AS kind, seq, due_at FROM tried) AS both_kinds"
                + " ORDER BY kind, due_at, seq LIMIT %1$d)"
                + " RETURNING seq, message, attempts, dead_at, dead_reason, last_error");
    claimDead =
        words.in(
            "UPDATE {delivery} SET claim_owner = :owner, claim_token = :token,"
                + " due_at = {now} + :lease WHERE seq = (SELECT seq FROM {delivery}"
                + " WHERE target = :target AND phase = 2 AND due_at <= {now}"
                + " ORDER BY due_at, seq LIMIT 1 {lock})"
                + " RETURNING seq, message, attempts, dead_at, dead_reason, last_error");
    messages =
        words.in(
            "SELECT seq, message_id, generation, accepted_at, body, {now} - accepted_at AS age"
                + " FROM {message} WHERE seq "
                + words.anyOf(":ids"));
    String mine =
        " WHERE seq " + words.anyOf(":ids") + " AND claim_owner = :owner AND claim_token = :token";
    String free = " claim_owner = NULL, claim_token = NULL";
    again =
        words.in(
            "UPDATE {delivery} SET"
                + free
                + ", due_at = {now} + :wait, last_error = coalesce(:error, last_error)"
                + mine
                + " RETURNING seq");
    giveBack =
        words.in(
            "UPDATE {delivery} SET"
                + free
                + ", due_at = {now}, attempts = attempts - 1,"
                + " phase = CASE WHEN attempts = 1 THEN 0 ELSE 1 END"
                + mine
                + " RETURNING seq");
    dead =
        words.in(
            "UPDATE {delivery} SET"
                + free
                + ", phase = 2, due_at = {now}, dead_at = {now}, dead_reason = :reason,"
                + " attempts = :attempts, last_error = :error"
                + mine
                + " RETURNING seq");
    remove = words.in("DELETE FROM {delivery}" + mine + " RETURNING seq, message");
    settleMessages =
        words.in(
            "UPDATE {message} SET remaining = remaining - 1 WHERE seq IN ("
                + (postgres
                    // In the order of numbers, so that two targets' batches wait in no circle.
                    ? "SELECT seq FROM {message} WHERE seq "
                        + words.anyOf(":ids")
                        + " ORDER BY seq FOR UPDATE"
                    : "SELECT value FROM json_each(:ids)")
                + ")");
    removeMessages =
        words.in("DELETE FROM {message} WHERE seq " + words.anyOf(":ids") + " AND remaining <= 0");
    release =
        words.in(
            "UPDATE {delivery} SET"
                + free
                + ", due_at = {now} WHERE target = :target AND phase > 0"
                + " AND claim_token IS NOT NULL AND claim_owner NOT LIKE :process");

    fromLater =
        words.in(
            "SELECT count(*) FROM (SELECT accepted_at FROM {message} ORDER BY seq DESC LIMIT 1)"
                + " AS newest WHERE accepted_at > {now} + :slack");
    makeDue =
        words.in(
            "UPDATE {delivery} SET due_at = {now} WHERE target = :target AND due_at > {now}"
                + " AND claim_token IS NULL");

    backlog =
        words.in(
            "SELECT coalesce(sum(pending), 0) AS pending, count(*) AS parts FROM {backlog}"
                + " WHERE target IN (SELECT id FROM {target} WHERE fanout = :fanout)");
    backlogRows =
        words.in(
            "SELECT t.name, coalesce(sum(b.pending), 0) AS pending FROM {target} t"
                + " LEFT JOIN {backlog} b ON b.target = t.id WHERE t.fanout = :fanout"
                + " GROUP BY t.id, t.name ORDER BY t.name");
    fold =
        postgres
            ? words.in(
                "WITH parts AS MATERIALIZED (SELECT id FROM {backlog} WHERE target = :target"
                    + " LIMIT 10000 FOR UPDATE SKIP LOCKED), gone AS (DELETE FROM {backlog}"
                    + " WHERE id IN (SELECT id FROM parts) RETURNING pending)"
                    + " INSERT INTO {backlog} (target, pending) SELECT :target, sum(pending) FROM gone"
                    + " HAVING count(*) > 0")
            : "";
    deliveries =
        words.in(
            "SELECT d.seq, m.message_id, m.generation, d.phase, d.attempts, d.claim_owner,"
                + " d.dead_reason, d.last_error, {now} - m.accepted_at AS age, d.due_at - {now} AS due"
                + " FROM {delivery} d JOIN {message} m ON m.seq = d.message"
                + " WHERE d.target = :target AND d.seq > :after ORDER BY d.seq LIMIT :most");
  }

  /** A claim of at most so many rows; a number in the text, by which a planner can plan. */
  String claim(int most) {
    return String.format(claim, most);
  }

  /** Puts the store's own words into a statement. */
  private record Words(DurableStore store, boolean postgres) {
    String in(String sql) {
      return tables(sql).replace("{now}", store.clock().sql());
    }

    private String tables(String sql) {
      return sql.replace("{fanout}", store.table("waymark_fanout"))
          .replace("{target}", store.table("waymark_fanout_target"))
          .replace("{message}", store.table("waymark_fanout_message"))
          .replace("{delivery}", store.table("waymark_fanout_delivery"))
          .replace("{backlog}", store.table("waymark_fanout_backlog"))
          .replace("{lock}", store.dialect().rowLock());
    }

    /** For plain JDBC on a caller's connection. */
    String positional(String sql) {
      return tables(sql).replace("{now}", "(" + store.clock().sql() + ")");
    }

    /** Whether a number is in a list, which is given as one text. */
    String anyOf(String parameter) {
      return postgres
          ? "= ANY (CAST(" + parameter + " AS bigint[]))"
          : "IN (SELECT value FROM json_each(" + parameter + "))";
    }
  }
}
