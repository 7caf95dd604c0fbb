package io.waymark.postgres;

/**
 * Cuts a SQL text into tokens as PostgreSQL's own scanner does, plus braces for JDBC escapes. One
 * pass, no look-back, no allocation per token, and every text is accepted: what is not terminated
 * runs to the end.
 *
 * <p>The rules are those of the manual's chapter "Lexical Structure". Parameters are not told from
 * operators, since {@code ?} is both in JDBC and neither matters here. A number ends where its
 * digits end, as before PostgreSQL 15, which refuses what follows immediately.
 */
final class SqlLexer {

  enum Token {
    END,
    /** A word without quotes; {@link #word()} says which. */
    WORD,
    /** A name in double quotes; {@link #word()} is set if it is exactly the name of a function. */
    QUOTED_NAME,
    /** A string of any kind. */
    STRING,
    NUMBER,
    OPEN_PAREN,
    OPEN_BRACKET,
    OPEN_BRACE,
    /** A closing parenthesis, bracket or brace. */
    CLOSE,
    COMMA,
    DOT,
    SEMICOLON,
    /** One char of an operator, a parameter, or anything else. */
    SYMBOL
  }

  private final String sql;
  private final int length;
  private int at;
  private int start;
  private SqlWord word = SqlWord.OTHER;

  SqlLexer(String sql) {
    this.sql = sql;
    this.length = sql.length();
  }

  /** The word that the last token is, or {@link SqlWord#OTHER}. */
  SqlWord word() {
    return word;
  }

  /** Whether the last token, without its quotes if it has any, is this text in any case. */
  boolean reads(String text) {
    int quotes = start < length && sql.charAt(start) == '\'' ? 1 : 0;
    return at - start == text.length() + 2 * quotes
        && sql.regionMatches(true, start + quotes, text, 0, text.length());
  }

  Token next() {
    word = SqlWord.OTHER;
    skipBlanksAndComments();
    start = at;
    if (at >= length) {
      return Token.END;
    }
    char c = sql.charAt(at++);
    if (isNameStart(c)) {
      return word(c);
    }
    if (isDigit(c)) {
      return number();
    }
    return switch (c) {
      case '\'' -> string();
      case '"' -> quotedName();
      case '$' -> dollar();
      case '(' -> Token.OPEN_PAREN;
      case '[' -> Token.OPEN_BRACKET;
      case '{' -> Token.OPEN_BRACE;
      case ')', ']', '}' -> Token.CLOSE;
      case ',' -> Token.COMMA;
      case '.' -> Token.DOT;
      case ';' -> Token.SEMICOLON;
      default -> Token.SYMBOL;
    };
  }

  private void skipBlanksAndComments() {
    while (at < length) {
      char c = sql.charAt(at);
      if (isBlank(c)) {
        at++;
      } else if (c == '-' && peek(1) == '-') {
        skipLine();
      } else if (c == '/' && peek(1) == '*') {
        skipBlockComment();
      } else {
        return;
      }
    }
  }

  private void skipLine() {
    while (at < length && !isNewline(sql.charAt(at))) {
      at++;
    }
  }

  private void skipBlockComment() {
    int open = 0;
    while (at < length) {
      char c = sql.charAt(at);
      if (c == '/' && peek(1) == '*') {
        open++;
        at += 2;
      } else if (c == '*' && peek(1) == '/') {
        open--;
        at += 2;
        if (open == 0) {
          return;
        }
      } else {
        at++;
      }
    }
    at = length;
  }

  private Token word(char first) {
    int hash = SqlWord.lower(first);
    while (at < length && isNamePart(sql.charAt(at))) {
      hash = 31 * hash + SqlWord.lower(sql.charAt(at++));
    }
    if (at - start == 1 && at < length) {
      char prefix = SqlWord.lower(first);
      if (sql.charAt(at) == '\'' && (prefix == 'b' || prefix == 'n' || prefix == 'x')) {
        at++;
        return string();
      }
      if (sql.charAt(at) == '\'' && prefix == 'e') {
        at++;
        return escapeString();
      }
      if (prefix == 'u' && sql.charAt(at) == '&' && (peek(1) == '\'' || peek(1) == '"')) {
        at += 2;
        return sql.charAt(at - 1) == '"' ? quotedName() : string();
      }
    }
    word = SqlWord.find(sql, start, at, hash, true);
    return Token.WORD;
  }

  private Token number() {
    skipDigits();
    if (at < length && sql.charAt(at) == '.') {
      at++;
      skipDigits();
    }
    if (SqlWord.lower(peek(0)) == 'e') {
      int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (isDigit(peek(1 + sign))) {
        at += 1 + sign;
        skipDigits();
      }
    }
    return Token.NUMBER;
  }

  private void skipDigits() {
    while (at < length && isDigit(sql.charAt(at))) {
      at++;
    }
  }

  /** A string without escapes; a doubled quote reads as two strings, which is as good. */
  private Token string() {
    int end = sql.indexOf('\'', at);
    at = end < 0 ? length : end + 1;
    return Token.STRING;
  }

  /** A string with backslash escapes, and the lines that continue it in the same manner. */
  private Token escapeString() {
    while (at < length) {
      char c = sql.charAt(at++);
      if (c == '\\') {
        at = Math.min(at + 1, length);
      } else if (c == '\'' && !doubledOrContinued()) {
        break;
      }
    }
    return Token.STRING;
  }

  /** After a quote: whether the string goes on, at a second quote or at one on a later line. */
  private boolean doubledOrContinued() {
    if (peek(0) == '\'') {
      at++;
      return true;
    }
    boolean newline = false;
    while (at < length) {
      char c = sql.charAt(at);
      if (isBlank(c)) {
        newline |= isNewline(c);
        at++;
      } else if (c == '-' && peek(1) == '-') {
        skipLine();
      } else if (c == '\'' && newline) {
        at++;
        return true;
      } else {
        return false;
      }
    }
    return false;
  }

  private Token quotedName() {
    int from = at;
    int hash = 0;
    boolean doubled = false;
    while (at < length) {
      char c = sql.charAt(at++);
      if (c != '"') {
        hash = 31 * hash + c;
      } else if (peek(0) == '"') {
        doubled = true;
        at++;
      } else {
        SqlWord found = doubled ? SqlWord.OTHER : SqlWord.find(sql, from, at - 1, hash, false);
        word = found.isName() ? found : SqlWord.OTHER;
        return Token.QUOTED_NAME;
      }
    }
    return Token.QUOTED_NAME;
  }

  /** A dollar-quoted string, or a dollar alone: that of a parameter, or a stray one. */
  private Token dollar() {
    int end = at;
    if (end < length && isNameStart(sql.charAt(end))) {
      do {
        end++;
      } while (end < length && isTagPart(sql.charAt(end)));
    }
    if (end >= length || sql.charAt(end) != '$') {
      return Token.SYMBOL;
    }
    int tagLength = end + 1 - start;
    at = end + 1;
    for (int close = sql.indexOf('$', at); close >= 0; close = sql.indexOf('$', close + 1)) {
      if (sql.regionMatches(close, sql, start, tagLength)) {
        at = close + tagLength;
        return Token.STRING;
      }
    }
    at = length;
    return Token.STRING;
  }

  private char peek(int ahead) {
    return at + ahead < length ? sql.charAt(at + ahead) : '\0';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isNewline(char c) {
    return c == '\n' || c == '\r';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
  }

  private static boolean isTagPart(char c) {
    return isNameStart(c) || isDigit(c);
  }

  private static boolean isNamePart(char c) {
    return isTagPart(c) || c == '$';
  }
}
