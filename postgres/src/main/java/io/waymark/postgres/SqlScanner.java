package io.waymark.postgres;

import io.waymark.postgres.SqlLexer.Token;
import java.util.Arrays;

/**
 * Finds the traits of one text in one pass over its tokens. It is not a parser: it follows the
 * beginning of each statement closely, since there the words have one meaning, and in the rest
 * looks only for what stands out by reserved words and position. Nesting costs a byte per level and
 * no recursion.
 */
final class SqlScanner {

  /** How the tokens that follow are to be taken. */
  private enum Mode {
    /** The next token begins a statement. */
    START,
    /** Something that is executed: looks for locks, calls, {@code INTO} and writing CTEs. */
    QUERY,
    /** Nothing more to be found in this statement. */
    DONE,
    EXPLAIN,
    EXPLAIN_OPTIONS,
    PREPARE,
    DECLARE,
    CREATE,
    ROUTINE,
    COPY,
    SET,
    SET_ISOLATION,
    SET_READ_ONLY,
    TRANSACTION_MODES,
    TRANSACTION_END,
    /** After the brace of a JDBC escape that may be a call. */
    ESCAPE
  }

  // What is known of a level of nesting; the two highest bits count the commas of set_config.
  private static final int WITH_LIST = 1;
  private static final int CTE = 1 << 1;
  private static final int FOR_IS_ARGUMENT = 1 << 2;
  private static final int SET_CONFIG = 1 << 3;
  private static final int COMMA = 1 << 6;
  private static final int COMMAS = 3 << 6;

  private final SqlLexer lexer;
  private int traits;
  private int statements;

  private byte[] levels = new byte[16];
  private int depth;

  private Mode mode = Mode.START;
  private boolean counted;
  private boolean explained;
  private boolean analyzed;
  private boolean creating;
  private boolean local;
  private int atomic;

  private Token token = Token.END;
  private SqlWord word = SqlWord.OTHER;
  private Token lastToken = Token.SEMICOLON;
  private SqlWord lastWord = SqlWord.OTHER;
  private Token lastButOneToken = Token.SEMICOLON;

  /** The known function that the last token names, if an opening parenthesis makes it a call. */
  private SqlWord callee = SqlWord.OTHER;

  /** How much of a locking clause has been read: its words so far. */
  private int lockClause;

  /** The level of an {@code UPDATE} that is a statement if {@code SET} follows, or -1. */
  private int updateDepth = -1;

  /** The tokens since that {@code UPDATE}. */
  private int updateTokens;

  /** Whether the words since an {@code INTO} that is not an {@code INSERT}'s may name its table. */
  private boolean intoTable;

  /** Whether the last token is a {@code DELETE} that is a statement if {@code FROM} follows. */
  private boolean deletePending;

  SqlScanner(String sql) {
    this.lexer = new SqlLexer(sql);
  }

  /** The bits of {@link SqlTraits}. */
  int scan() {
    while ((token = lexer.next()) != Token.END) {
      word = lexer.word();
      if (token == Token.SEMICOLON && depth == 0 && atomic == 0) {
        endStatement();
      } else {
        take();
      }
      lastButOneToken = lastToken;
      lastToken = token;
      lastWord = token == Token.WORD ? word : SqlWord.OTHER;
    }
    leaveOpenLevels();
    if (statements == 0) {
      traits |= SqlTraits.EMPTY;
    } else if (statements > 1) {
      traits |= SqlTraits.MULTIPLE;
    }
    return traits;
  }

  private void take() {
    if (!counted) {
      counted = true;
      statements++;
    }
    if (creating && word == SqlWord.PG_TEMP && lastToken != Token.DOT) {
      claim(SqlTraits.SESSION_STATE);
    }
    switch (mode) {
      case START -> start();
      case QUERY -> query();
      case EXPLAIN -> explain();
      case EXPLAIN_OPTIONS -> explainOptions();
      case PREPARE -> prepare();
      case DECLARE -> declare();
      case CREATE -> create();
      case ROUTINE -> routine();
      case COPY -> copy();
      case SET -> set();
      case SET_ISOLATION -> setIsolation();
      case SET_READ_ONLY -> setReadOnly();
      case TRANSACTION_MODES -> transactionModes();
      case TRANSACTION_END -> transactionEnd();
      case ESCAPE -> escape();
      case DONE -> {}
    }
    nest();
  }

  private void endStatement() {
    mode = Mode.START;
    counted = false;
    explained = false;
    analyzed = false;
    creating = false;
    local = false;
    callee = SqlWord.OTHER;
    lockClause = 0;
    updateDepth = -1;
    intoTable = false;
    deletePending = false;
    levels[0] = 0;
  }

  /** What {@code EXPLAIN} does not execute claims nothing. */
  private void claim(int bits) {
    if (!explained || analyzed) {
      traits |= bits;
    }
  }

  private boolean isWord(SqlWord expected) {
    return token == Token.WORD && word == expected;
  }

  // Beginnings of statements

  private void start() {
    mode = Mode.QUERY;
    if (token == Token.OPEN_BRACE) {
      mode = Mode.ESCAPE;
    } else if (token == Token.WORD) {
      startWord();
    }
  }

  private void startWord() {
    switch (word) {
      case WITH -> levels[depth] |= WITH_LIST;
      case INSERT, UPDATE, DELETE, MERGE -> claim(SqlTraits.WRITE);
      case CALL -> claim(SqlTraits.WRITE | SqlTraits.COMMITS);
      case EXPLAIN -> {
        explained = true;
        mode = Mode.EXPLAIN;
      }
      case PREPARE -> mode = Mode.PREPARE;
      case DECLARE -> mode = Mode.DECLARE;
      case COPY -> mode = Mode.COPY;
      case SET -> mode = Mode.SET;
      case CREATE -> {
        claim(SqlTraits.WRITE);
        creating = true;
        mode = Mode.CREATE;
      }
      case EXECUTE -> traits |= SqlTraits.SESSION_STATE;
      default -> startPlainWord();
    }
  }

  /** The statements whose first word says all. */
  private void startPlainWord() {
    switch (word) {
      case BEGIN, START -> {
        claim(SqlTraits.TRANSACTION_CONTROL | SqlTraits.BEGINS | SqlTraits.SESSION_STATE);
        mode = Mode.TRANSACTION_MODES;
      }
      case COMMIT, END -> {
        claim(SqlTraits.TRANSACTION_CONTROL | SqlTraits.COMMITS);
        mode = Mode.TRANSACTION_END;
      }
      case ROLLBACK, ABORT -> {
        claim(SqlTraits.TRANSACTION_CONTROL);
        mode = Mode.TRANSACTION_END;
      }
      case SAVEPOINT, RELEASE -> finish(SqlTraits.TRANSACTION_CONTROL);
      case LOCK -> finish(SqlTraits.LOCKING | SqlTraits.VAIN_LOCK);
      case LISTEN -> finish(SqlTraits.WRITE | SqlTraits.SESSION_STATE);
      case UNLISTEN, RESET, DISCARD, DEALLOCATE, LOAD -> finish(SqlTraits.SESSION_STATE);
      case DO -> finish(SqlTraits.WRITE | SqlTraits.COMMITS);
      case TRUNCATE, ALTER, DROP, GRANT, REVOKE, COMMENT, SECURITY, VACUUM, ANALYZE, ANALYSE ->
          finish(SqlTraits.WRITE);
      case REINDEX, CLUSTER, REPACK, REFRESH, IMPORT, REASSIGN, NOTIFY -> finish(SqlTraits.WRITE);
      default -> {}
    }
  }

  private void finish(int bits) {
    claim(bits);
    mode = Mode.DONE;
  }

  private void explain() {
    if (isWord(SqlWord.ANALYZE) || isWord(SqlWord.ANALYSE)) {
      analyzed = true;
    } else if (token == Token.OPEN_PAREN && lastWord == SqlWord.EXPLAIN) {
      mode = Mode.EXPLAIN_OPTIONS;
    } else if (!isWord(SqlWord.VERBOSE)) {
      start();
    }
  }

  /** In the parentheses after {@code EXPLAIN}, which hold options or a whole query. */
  private void explainOptions() {
    if (depth == 0) {
      start();
    } else if (lastToken == Token.OPEN_PAREN && startsQuery()) {
      mode = Mode.QUERY;
      query();
    } else if (isWord(SqlWord.ANALYZE) || isWord(SqlWord.ANALYSE)) {
      analyzed |= lastToken == Token.OPEN_PAREN || lastToken == Token.COMMA;
    } else if (lastWord == SqlWord.ANALYZE || lastWord == SqlWord.ANALYSE) {
      analyzed &= !readsFalse();
    }
  }

  private boolean startsQuery() {
    return token == Token.OPEN_PAREN
        || isWord(SqlWord.SELECT)
        || isWord(SqlWord.WITH)
        || isWord(SqlWord.VALUES)
        || isWord(SqlWord.TABLE);
  }

  private boolean readsFalse() {
    return lexer.reads("false")
        || lexer.reads("off")
        || lexer.reads("0")
        || lexer.reads("no")
        || lexer.reads("f")
        || lexer.reads("n")
        || lexer.reads("of");
  }

  private void prepare() {
    if (lastWord == SqlWord.PREPARE && isWord(SqlWord.TRANSACTION)) {
      return;
    }
    if (lastWord == SqlWord.TRANSACTION && token == Token.STRING) {
      finish(SqlTraits.TRANSACTION_CONTROL | SqlTraits.COMMITS | SqlTraits.WRITE);
      return;
    }
    claim(SqlTraits.SESSION_STATE);
    if (depth == 0 && isWord(SqlWord.AS)) {
      mode = Mode.START;
    }
  }

  private void declare() {
    if (isWord(SqlWord.HOLD) && lastWord == SqlWord.WITH) {
      claim(SqlTraits.SESSION_STATE);
    } else if (isWord(SqlWord.FOR)) {
      mode = Mode.START;
    }
  }

  private void create() {
    if (token != Token.WORD) {
      mode = Mode.DONE;
      return;
    }
    switch (word) {
      case TEMP, TEMPORARY -> claim(SqlTraits.SESSION_STATE);
      case OR, REPLACE, GLOBAL, LOCAL, UNLOGGED -> {}
      case TABLE, MATERIALIZED -> mode = Mode.QUERY;
      case FUNCTION, PROCEDURE -> mode = Mode.ROUTINE;
      default -> mode = Mode.DONE;
    }
  }

  /** Passes the semicolons inside {@code BEGIN ATOMIC … END}. */
  private void routine() {
    if (lastToken == Token.DOT || lastWord == SqlWord.AS) {
      return;
    }
    if (isWord(SqlWord.ATOMIC) && lastWord == SqlWord.BEGIN && atomic == 0) {
      atomic = 1;
    } else if (atomic > 0 && isWord(SqlWord.CASE)) {
      atomic++;
    } else if (atomic > 0 && isWord(SqlWord.END)) {
      atomic--;
    }
  }

  private void copy() {
    if (token == Token.OPEN_PAREN && lastWord == SqlWord.COPY) {
      mode = Mode.START;
    } else if (depth == 0 && isWord(SqlWord.FROM)) {
      finish(SqlTraits.WRITE);
    } else if (depth == 0 && isWord(SqlWord.TO)) {
      mode = Mode.DONE;
    }
  }

  private void set() {
    switch (token == Token.WORD ? word : SqlWord.OTHER) {
      case LOCAL -> local = true;
      case SESSION -> {}
      case CHARACTERISTICS -> {
        claim(SqlTraits.SESSION_STATE);
        mode = Mode.TRANSACTION_MODES;
      }
      case TRANSACTION -> mode = Mode.TRANSACTION_MODES;
      case CONSTRAINTS -> mode = Mode.DONE;
      case TRANSACTION_ISOLATION, DEFAULT_TRANSACTION_ISOLATION -> setVariable(Mode.SET_ISOLATION);
      case TRANSACTION_READ_ONLY, DEFAULT_TRANSACTION_READ_ONLY -> setVariable(Mode.SET_READ_ONLY);
      default -> setVariable(Mode.DONE);
    }
  }

  private void setVariable(Mode next) {
    if (!local) {
      claim(SqlTraits.SESSION_STATE);
    }
    mode = next;
  }

  private void setIsolation() {
    if (lexer.reads("serializable")) {
      finish(SqlTraits.SERIALIZABLE);
    }
  }

  private void setReadOnly() {
    if (readsFalse()) {
      finish(SqlTraits.READ_WRITE);
    }
  }

  private void transactionModes() {
    if (isWord(SqlWord.SERIALIZABLE) && lastWord == SqlWord.LEVEL) {
      claim(SqlTraits.SERIALIZABLE);
    } else if (isWord(SqlWord.WRITE) && lastWord == SqlWord.READ) {
      claim(SqlTraits.READ_WRITE);
    }
  }

  private void transactionEnd() {
    if (isWord(SqlWord.PREPARED)) {
      finish(SqlTraits.WRITE);
    } else if (isWord(SqlWord.CHAIN) && lastWord == SqlWord.AND) {
      finish(SqlTraits.BEGINS | SqlTraits.SESSION_STATE);
    } else if (isWord(SqlWord.TO)) {
      mode = Mode.DONE;
    }
  }

  private void escape() {
    if (isWord(SqlWord.CALL)) {
      claim(SqlTraits.WRITE | SqlTraits.COMMITS);
    }
    if (token != Token.SYMBOL && token != Token.NUMBER) {
      mode = Mode.QUERY;
    }
  }

  // What stands out inside a statement

  private void query() {
    boolean keyword = token == Token.WORD && lastToken != Token.DOT && lastWord != SqlWord.AS;
    lockingClause(keyword);
    writingClause(keyword);
    into(keyword);
    if (token == Token.OPEN_PAREN) {
      claim(callee.callClaims);
    }
  }

  /** {@code FOR [NO KEY] UPDATE} and {@code FOR [KEY] SHARE}, after a {@code FOR} that is one. */
  private void lockingClause(boolean keyword) {
    int words = lockClause;
    lockClause = 0;
    if (!keyword) {
      return;
    }
    switch (word) {
      case FOR -> lockClause = (levels[depth] & FOR_IS_ARGUMENT) == 0 ? 1 : 0;
      case NO -> lockClause = words == 1 ? 2 : 0;
      case KEY -> lockClause = words == 1 ? 3 : words == 2 ? 4 : 0;
      case UPDATE -> claimLockIf(words == 1 || words == 4);
      case SHARE -> claimLockIf(words == 1 || words == 3);
      default -> {}
    }
  }

  private void claimLockIf(boolean complete) {
    if (complete) {
      claim(SqlTraits.LOCKING);
    }
  }

  /**
   * A writing statement as a CTE or after a list of CTEs. {@code INSERT} and {@code MERGE} are
   * found by their {@code INTO}. All these verbs may also be names, so the position is not enough:
   * {@code DELETE} needs its {@code FROM}, {@code UPDATE} a table and then {@code SET}.
   */
  private void writingClause(boolean keyword) {
    if (deletePending && keyword && word == SqlWord.FROM) {
      claim(SqlTraits.WRITE);
    }
    deletePending = false;
    followUpdate(keyword);
    if (!keyword) {
      return;
    }
    boolean first = lastToken == Token.OPEN_PAREN;
    if (word == SqlWord.WITH && first) {
      levels[depth] |= WITH_LIST;
    } else if (word == SqlWord.SELECT) {
      levels[depth] &= ~WITH_LIST;
    } else if ((levels[depth] & WITH_LIST) != 0 || (first && (levels[depth] & CTE) != 0)) {
      deletePending = word == SqlWord.DELETE;
      if (word == SqlWord.UPDATE && lastWord != SqlWord.UPDATE) {
        updateDepth = depth;
        updateTokens = 0;
      }
    }
  }

  private void followUpdate(boolean keyword) {
    if (updateDepth < 0) {
      return;
    }
    boolean adjacent = updateTokens++ == 0;
    if (keyword && word == SqlWord.SET && depth == updateDepth) {
      if (!adjacent) {
        claim(SqlTraits.WRITE);
      }
      updateDepth = -1;
    } else if (endsUpdate(adjacent)) {
      updateDepth = -1;
    }
  }

  private boolean endsUpdate(boolean adjacent) {
    return switch (token) {
      case OPEN_PAREN -> adjacent;
      case COMMA, CLOSE -> depth == updateDepth;
      case WORD ->
          word == SqlWord.SELECT || word == SqlWord.FROM || (adjacent && word == SqlWord.AS);
      default -> false;
    };
  }

  /** {@code SELECT … INTO TEMP t} is a temporary table, {@code INSERT INTO temp} is not. */
  private void into(boolean keyword) {
    if (keyword && word == SqlWord.INTO) {
      claim(SqlTraits.WRITE);
      intoTable = lastWord != SqlWord.INSERT && lastWord != SqlWord.MERGE;
    } else if (intoTable) {
      boolean afterTemp = lastWord == SqlWord.TEMP || lastWord == SqlWord.TEMPORARY;
      boolean named = token == Token.QUOTED_NAME || (keyword && word != SqlWord.FROM);
      if (word == SqlWord.PG_TEMP || (afterTemp && named)) {
        claim(SqlTraits.SESSION_STATE);
      }
      intoTable = keyword && isTablePrefix();
    }
  }

  private boolean isTablePrefix() {
    return switch (word) {
      case TEMP, TEMPORARY, LOCAL, GLOBAL, UNLOGGED, TABLE -> true;
      default -> false;
    };
  }

  // Nesting

  private void nest() {
    switch (token) {
      case OPEN_PAREN, OPEN_BRACKET, OPEN_BRACE -> open();
      case CLOSE -> close();
      case COMMA -> {
        int level = levels[depth];
        if ((level & SET_CONFIG) != 0 && (level & COMMAS) != COMMAS) {
          levels[depth] = (byte) (level + COMMA);
        }
      }
      default -> {}
    }
    boolean names = token == Token.WORD || token == Token.QUOTED_NAME;
    callee = names && lastWord != SqlWord.AS ? word : SqlWord.OTHER;
  }

  private void open() {
    int level = 0;
    if (token == Token.OPEN_PAREN) {
      if (callee == SqlWord.SET_CONFIG && mode == Mode.QUERY) {
        level = SET_CONFIG;
      } else if (lastWord == SqlWord.SUBSTRING || lastWord == SqlWord.OVERLAY) {
        level = FOR_IS_ARGUMENT;
      } else if (lastWord == SqlWord.AS || lastWord == SqlWord.MATERIALIZED) {
        level = CTE;
      }
    }
    depth++;
    if (depth == levels.length) {
      levels = Arrays.copyOf(levels, depth * 2);
    }
    levels[depth] = (byte) level;
  }

  private void close() {
    if (depth == 0) {
      return;
    }
    int level = levels[depth];
    boolean untilCommit =
        (level & COMMAS) == 2 * COMMA && lastWord == SqlWord.TRUE && lastButOneToken == Token.COMMA;
    if ((level & SET_CONFIG) != 0 && !untilCommit) {
      claim(SqlTraits.SESSION_STATE);
    }
    depth--;
  }

  /** A text that ends inside a call of {@code set_config} is not given the benefit of the doubt. */
  private void leaveOpenLevels() {
    for (; depth > 0; depth--) {
      if ((levels[depth] & SET_CONFIG) != 0) {
        claim(SqlTraits.SESSION_STATE);
      }
    }
  }
}
