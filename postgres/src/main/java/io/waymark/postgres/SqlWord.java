package io.waymark.postgres;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The words that mean something to {@link SqlScanner}: keywords, a few settings, and the functions
 * whose call has a trait whatever their arguments are.
 *
 * <table>
 *   <caption>Functions and what their call claims</caption>
 *   <tr><th>function</th><th>claims</th><th>why</th></tr>
 *   <tr><td>{@code pg_advisory_xact_lock}, {@code pg_try_advisory_xact_lock}, and {@code _shared}
 *       </td><td>locking, vain lock</td><td>a standby grants it and excludes nobody on the primary</td></tr>
 *   <tr><td>{@code pg_advisory_lock}, {@code pg_try_advisory_lock}, and {@code _shared}
 *       </td><td>locking, vain lock, session state</td><td>the same, and held by the connection</td></tr>
 *   <tr><td>{@code pg_advisory_unlock}, {@code _shared}, {@code _all}
 *       </td><td>locking, vain lock, session state</td><td>works only where the lock was taken</td></tr>
 *   <tr><td>{@code nextval}, {@code setval}</td><td>write</td><td>25006 on a standby</td></tr>
 *   <tr><td>{@code currval}, {@code lastval}</td><td>write</td><td>repeats what {@code nextval}
 *       gave this session, which only the primary can have done; 55000 on a standby</td></tr>
 *   <tr><td>{@code pg_notify}</td><td>write</td><td>25006 on a standby</td></tr>
 *   <tr><td>{@code txid_current}, {@code pg_current_xact_id}</td><td>write</td><td>assigns a
 *       transaction id; the {@code _if_assigned} forms do not and claim nothing</td></tr>
 *   <tr><td>{@code pg_logical_emit_message}, {@code pg_switch_wal}, {@code
 *       pg_create_restore_point}</td><td>write</td><td>writes the log itself</td></tr>
 *   <tr><td>{@code lo_creat}, {@code lo_create}, {@code lo_from_bytea}, {@code lo_import}, {@code
 *       lo_put}, {@code lo_truncate}, {@code lo_truncate64}, {@code lo_unlink}, {@code lowrite}
 *       </td><td>write</td><td>writes large objects; {@code lo_open} depends on its mode and claims
 *       nothing</td></tr>
 *   <tr><td>{@code pg_create_physical_replication_slot}, {@code
 *       pg_create_logical_replication_slot}, {@code pg_copy_…_slot}, {@code
 *       pg_drop_replication_slot}, {@code pg_replication_slot_advance}, {@code
 *       pg_logical_slot_get_changes}, {@code pg_logical_slot_get_binary_changes}
 *       </td><td>write</td><td>a standby may accept it; a slot must not be made, moved or dropped
 *       on whichever server a read happens to meet</td></tr>
 *   <tr><td>{@code set_config}</td><td>session state</td><td>unless its third argument is the
 *       literal {@code true}; a standby accepts it</td></tr>
 *   <tr><td>{@code setseed}</td><td>session state</td><td>later calls of {@code random()} depend on
 *       it; a standby accepts it</td></tr>
 * </table>
 */
enum SqlWord {
  /** Any word that means nothing here, and whatever is no word. */
  OTHER,

  ABORT,
  ALTER,
  ANALYSE,
  ANALYZE,
  AND,
  AS,
  ATOMIC,
  AUTHORIZATION,
  BEGIN,
  CALL,
  CASE,
  CHAIN,
  CHARACTERISTICS,
  CLUSTER,
  COMMENT,
  COMMIT,
  CONSTRAINTS,
  COPY,
  CREATE,
  DEALLOCATE,
  DECLARE,
  DEFAULT_TRANSACTION_ISOLATION,
  DEFAULT_TRANSACTION_READ_ONLY,
  DELETE,
  DISCARD,
  DO,
  DROP,
  END,
  EXECUTE,
  EXPLAIN,
  FALSE,
  FOR,
  FROM,
  FUNCTION,
  GLOBAL,
  GRANT,
  HOLD,
  IMPORT,
  INSERT,
  INTO,
  KEY,
  LEVEL,
  LISTEN,
  LOAD,
  LOCAL,
  LOCK,
  MATERIALIZED,
  MERGE,
  NO,
  NOTIFY,
  OFF,
  OR,
  OVERLAY,
  PG_TEMP,
  PREPARE,
  PREPARED,
  PROCEDURE,
  READ,
  REASSIGN,
  REFRESH,
  REINDEX,
  RELEASE,
  REPACK,
  REPLACE,
  RESET,
  REVOKE,
  ROLLBACK,
  SAVEPOINT,
  SECURITY,
  SELECT,
  SERIALIZABLE,
  SESSION,
  SET,
  SHARE,
  START,
  SUBSTRING,
  TABLE,
  TEMP,
  TEMPORARY,
  TO,
  TRANSACTION,
  TRANSACTION_ISOLATION,
  TRANSACTION_READ_ONLY,
  TRUE,
  TRUNCATE,
  UNLISTEN,
  UNLOGGED,
  UPDATE,
  VACUUM,
  VALUES,
  VERBOSE,
  WITH,
  WRITE,

  SET_CONFIG,
  PG_ADVISORY_XACT_LOCK(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK),
  PG_ADVISORY_XACT_LOCK_SHARED(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK),
  PG_TRY_ADVISORY_XACT_LOCK(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK),
  PG_TRY_ADVISORY_XACT_LOCK_SHARED(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK),
  PG_ADVISORY_LOCK(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  PG_ADVISORY_LOCK_SHARED(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  PG_TRY_ADVISORY_LOCK(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  PG_TRY_ADVISORY_LOCK_SHARED(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  PG_ADVISORY_UNLOCK(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  PG_ADVISORY_UNLOCK_SHARED(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  PG_ADVISORY_UNLOCK_ALL(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK | SqlTraits.SESSION_STATE),
  NEXTVAL(SqlTraits.WRITE),
  SETVAL(SqlTraits.WRITE),
  CURRVAL(SqlTraits.WRITE),
  LASTVAL(SqlTraits.WRITE),
  PG_NOTIFY(SqlTraits.WRITE),
  PG_LOGICAL_EMIT_MESSAGE(SqlTraits.WRITE),
  TXID_CURRENT(SqlTraits.WRITE),
  PG_CURRENT_XACT_ID(SqlTraits.WRITE),
  LO_CREAT(SqlTraits.WRITE),
  LO_CREATE(SqlTraits.WRITE),
  LO_FROM_BYTEA(SqlTraits.WRITE),
  LO_IMPORT(SqlTraits.WRITE),
  LO_PUT(SqlTraits.WRITE),
  LO_TRUNCATE(SqlTraits.WRITE),
  LO_TRUNCATE64(SqlTraits.WRITE),
  LO_UNLINK(SqlTraits.WRITE),
  LOWRITE(SqlTraits.WRITE),
  PG_CREATE_PHYSICAL_REPLICATION_SLOT(SqlTraits.WRITE),
  PG_CREATE_LOGICAL_REPLICATION_SLOT(SqlTraits.WRITE),
  PG_COPY_PHYSICAL_REPLICATION_SLOT(SqlTraits.WRITE),
  PG_COPY_LOGICAL_REPLICATION_SLOT(SqlTraits.WRITE),
  PG_DROP_REPLICATION_SLOT(SqlTraits.WRITE),
  PG_REPLICATION_SLOT_ADVANCE(SqlTraits.WRITE),
  PG_LOGICAL_SLOT_GET_CHANGES(SqlTraits.WRITE),
  PG_LOGICAL_SLOT_GET_BINARY_CHANGES(SqlTraits.WRITE),
  PG_SWITCH_WAL(SqlTraits.WRITE),
  PG_CREATE_RESTORE_POINT(SqlTraits.WRITE),
  SETSEED(SqlTraits.SESSION_STATE);

  private static final SqlWord[] SLOTS = new SqlWord[1024];
  private static final int MASK = SLOTS.length - 1;

  static {
    for (SqlWord word : values()) {
      if (word != OTHER) {
        int slot = slot(word.text.hashCode());
        while (SLOTS[slot] != null) {
          slot = (slot + 1) & MASK;
        }
        SLOTS[slot] = word;
      }
    }
  }

  private final String text;

  /** What a call of this function claims, as bits of {@link SqlTraits}; 0 for what is none. */
  final int callClaims;

  SqlWord() {
    this(0);
  }

  SqlWord(int callClaims) {
    this.text = name().toLowerCase(Locale.ROOT);
    this.callClaims = callClaims;
  }

  /** Whether a quoted name may stand for it, which is true of functions and schemas. */
  boolean isName() {
    return callClaims != 0 || this == SET_CONFIG || this == PG_TEMP;
  }

  /**
   * Finds the word written in a part of a text.
   *
   * @param hash what {@link String#hashCode()} would give for the part in lower case
   * @param fold whether upper case ASCII letters count as lower case ones
   */
  static SqlWord find(String sql, int start, int end, int hash, boolean fold) {
    for (int slot = slot(hash); ; slot = (slot + 1) & MASK) {
      @Nullable SqlWord word = SLOTS[slot];
      if (word == null) {
        return OTHER;
      }
      if (word.matches(sql, start, end, fold)) {
        return word;
      }
    }
  }

  private boolean matches(String sql, int start, int end, boolean fold) {
    if (end - start != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = sql.charAt(start + i);
      if ((fold ? lower(c) : c) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The ASCII lower case of a char, which is how PostgreSQL folds keywords. */
  static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
  }

  private static int slot(int hash) {
    return (hash ^ (hash >>> 15)) & MASK;
  }
}
