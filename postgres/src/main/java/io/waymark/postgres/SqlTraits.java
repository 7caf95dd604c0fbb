package io.waymark.postgres;

import org.jspecify.annotations.Nullable;

/**
 * What can be told of a SQL text without a server: the traits that decide where it may run and what
 * it leaves behind. Whether a text is a read is not among them; reads are declared by the caller.
 *
 * <p>A trait is claimed only where the text proves it, and it is exact where lexing allows.
 * Comments, literals, quoted names and dollar-quoted bodies are never taken for SQL. What a text
 * merely calls (an unknown function, a view, a rule) is not known here: the server has the last
 * word and answers 25006 on a standby.
 *
 * <h2>What is claimed</h2>
 *
 * <ul>
 *   <li>{@link #locking()}: a row-locking clause at any depth; {@code LOCK} in any mode; the
 *       advisory-lock functions.
 *   <li>{@link #locksInVainOnStandby()}: of those {@code LOCK}, which a standby grants in its
 *       weaker modes, and the advisory-lock functions, which succeed there; neither excludes anyone
 *       on the primary.
 *   <li>{@link #knownWrite()}: a statement or function that a standby refuses or that must not meet
 *       a server by chance. {@code DO}, {@code CALL} and the JDBC escape <code>{call …}</code> are
 *       writes, since nothing says what they do. {@code ALTER SYSTEM} is one too, although a
 *       standby takes it: it changes whichever server it lands on. {@code EXPLAIN} executes nothing
 *       and claims nothing, {@code EXPLAIN ANALYZE} claims what its statement does. {@code PREPARE}
 *       claims what it prepares.
 *   <li>{@link #sessionState()}: what ties the caller to one physical connection.
 *   <li>{@link #begins()}, {@link #commits()}: transaction control as SQL. {@code CALL} and {@code
 *       DO} may commit, so they are claimed to.
 *   <li>{@link #serializable()}, {@link #readWrite()}: asks for a mode that a standby refuses with
 *       0A000, at once or, when it changes a default, at the next transaction.
 * </ul>
 *
 * <p>The functions that are known are listed at {@link SqlWord}.
 *
 * <h2>What is left ambiguous</h2>
 *
 * <ul>
 *   <li>{@code standard_conforming_strings = on} is assumed, the default since 9.1: a backslash
 *       escapes only in <code>E'…'</code>.
 *   <li>A known function name counts in any schema, and also where a name with a column list looks
 *       like a call ({@code WITH nextval(a) AS …}); not after {@code AS}.
 *   <li>Names written with Unicode escapes (<code>U&amp;"\006eextval"</code>) are not decoded.
 *   <li>{@code set_config(…, true)} changes nothing beyond its transaction only with the literal
 *       {@code true} as third argument; every other form counts as session state.
 *   <li>{@code EXECUTE} claims session state and nothing else: what was prepared has been claimed
 *       by its {@code PREPARE}.
 *   <li>{@code FOR UPDATE} in a DDL body that is stored and not executed is not a lock.
 * </ul>
 *
 * <p>Immutable and safe for use by many threads.
 */
final class SqlTraits {

  static final int LOCKING = 1;
  static final int WRITE = 1 << 1;
  static final int SESSION_STATE = 1 << 2;
  static final int TRANSACTION_CONTROL = 1 << 3;
  static final int BEGINS = 1 << 4;
  static final int COMMITS = 1 << 5;
  static final int SERIALIZABLE = 1 << 6;
  static final int READ_WRITE = 1 << 7;
  static final int MULTIPLE = 1 << 8;
  static final int EMPTY = 1 << 9;
  static final int VAIN_LOCK = 1 << 10;

  private static final String[] NAMES = {
    "locking",
    "write",
    "session-state",
    "transaction-control",
    "begins",
    "commits",
    "serializable",
    "read-write",
    "multiple",
    "empty",
    "vain-lock"
  };

  private static final SqlTraitsCache CACHE = new SqlTraitsCache(1024, 8 * 1024);

  /** Of something that has no text, such as reading metadata. */
  static final SqlTraits NOTHING = new SqlTraits(EMPTY);

  private final int bits;

  private SqlTraits(int bits) {
    this.bits = bits;
  }

  /**
   * The traits of a text, from a cache shared by the whole process or from a scan. Never throws,
   * whatever the text; an unterminated comment, literal or name runs to the end of it.
   */
  static SqlTraits of(String sql) {
    return CACHE.get(sql);
  }

  /** The traits of a text by a scan, past the cache. */
  static SqlTraits scan(String sql) {
    return new SqlTraits(new SqlScanner(sql).scan());
  }

  /** Takes a row, table or advisory lock. */
  boolean locking() {
    return has(LOCKING);
  }

  /** Takes a lock that a standby would grant, and that would exclude nobody on the primary. */
  boolean locksInVainOnStandby() {
    return has(VAIN_LOCK);
  }

  /** Certainly, or by everything the text says, needs the primary to write. */
  boolean knownWrite() {
    return has(WRITE);
  }

  /** Leaves or uses state that lives in the physical connection. */
  boolean sessionState() {
    return has(SESSION_STATE);
  }

  /** Begins, ends or structures a transaction as SQL; savepoints and roll-backs included. */
  boolean transactionControl() {
    return has(TRANSACTION_CONTROL);
  }

  /** Opens a transaction as SQL. */
  boolean begins() {
    return has(BEGINS);
  }

  /** Commits, or may commit, a transaction as SQL. */
  boolean commits() {
    return has(COMMITS);
  }

  /** Asks for the isolation level {@code SERIALIZABLE}. */
  boolean serializable() {
    return has(SERIALIZABLE);
  }

  /** Asks for {@code READ WRITE} explicitly. */
  boolean readWrite() {
    return has(READ_WRITE);
  }

  /** Holds more than one statement that is not empty. */
  boolean multiple() {
    return has(MULTIPLE);
  }

  /** Holds nothing but blanks, comments and semicolons. */
  boolean empty() {
    return has(EMPTY);
  }

  private boolean has(int bit) {
    return (bits & bit) != 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SqlTraits that && that.bits == bits;
  }

  @Override
  public int hashCode() {
    return bits;
  }

  /** The names of the traits, such as {@code [write, session-state]}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < NAMES.length; i++) {
      if (has(1 << i)) {
        text.append(text.length() > 1 ? ", " : "").append(NAMES[i]);
      }
    }
    return text.append(']').toString();
  }
}
