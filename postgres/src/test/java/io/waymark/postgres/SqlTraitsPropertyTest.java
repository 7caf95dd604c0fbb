package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Statements of known traits, composed at random and disguised with blanks, comments, letter case
 * and literals that look like SQL, have the union of the traits. The tokens of a fragment are
 * separated by blanks, which is where the disguise goes.
 */
class SqlTraitsPropertyTest {

  private record Fragment(String sql, Set<String> traits) {}

  private static final List<Fragment> QUERIES =
      List.of(
          fragment("select 1"),
          fragment("select a , 'for update' from t"),
          fragment("select \"for\" , update from t"),
          fragment("select $q$ insert into t ; for update $q$"),
          fragment("select E'it\\'s' , U&'for update' from t where a = ?"),
          fragment("select substring ( a from 1 for 2 ) from t"),
          fragment("select t.for update from t"),
          fragment("select count ( * ) delete from t"),
          fragment("values ( 1 ) , ( 2 )"),
          fragment("select * from t for update", "locking"),
          fragment("select * from t for no key update", "locking"),
          fragment("select * from t for share of t nowait", "locking"),
          fragment("select * from t for key share skip locked", "locking"),
          fragment("select pg_catalog . pg_advisory_xact_lock ( 1 )", "locking", "vain-lock"),
          fragment("select pg_try_advisory_lock ( 1 )", "locking", "vain-lock", "session-state"),
          fragment("select nextval ( 's' )", "write"),
          fragment("select pg_notify ( 'a' , 'b' )", "write"),
          fragment("select set_config ( 'a' , 'b' , false )", "session-state"),
          fragment("select set_config ( 'a' , 'b' , true )"));

  private static final List<Fragment> MODIFICATIONS =
      List.of(
          fragment("insert into t values ( 1 )", "write"),
          fragment("insert into t select * from u for update", "write", "locking"),
          fragment("update t set a = 1", "write"),
          fragment("update only t as x set a = 1 from u", "write"),
          fragment("delete from t using u", "write"),
          fragment("merge into t using u on true when matched then delete", "write"));

  private static final List<Fragment> UTILITIES =
      List.of(
          fragment("begin", "begins", "transaction-control", "session-state"),
          fragment("commit", "commits", "transaction-control"),
          fragment("rollback to savepoint s", "transaction-control"),
          fragment("call p ( 1 )", "write", "commits"),
          fragment("do $$ begin commit; end $$", "write", "commits"),
          fragment("set search_path = x", "session-state"),
          fragment("set local search_path = x"),
          fragment("set transaction isolation level serializable", "serializable"),
          fragment("set transaction read write", "read-write"),
          fragment("lock table t", "locking", "vain-lock"),
          fragment("listen x", "write", "session-state"),
          fragment("create temp table t ( a int )", "write", "session-state"),
          fragment("create policy p on t for update using ( true )", "write"),
          fragment("copy t from stdin", "write"),
          fragment("copy t to stdout"),
          fragment("vacuum t", "write"));

  private static Fragment fragment(String sql, String... traits) {
    return new Fragment(sql, Set.of(traits));
  }

  /** Fresh seeds, which stand in the names of the tests, or the one to run again. */
  static List<Long> seeds() {
    Long again = Long.getLong("waymark.test.seed");
    return again != null ? List.of(again) : new Random().longs(20).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void composedTextsHaveTheUnionOfTheTraits(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      Fragment text = statements(random);
      String disguised = disguise(text.sql, random);
      assertThat(SqlTraits.scan(disguised).toString())
          .as("seed %d, text %d: %s", seed, i, disguised)
          .isEqualTo(named(text.traits));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void locksAreThoseThatASlowReaderSees(long seed) {
    String[] pieces = {
      "for",
      "update",
      "share",
      "no",
      "key",
      "t",
      ",",
      "=",
      "1",
      "'for'",
      "'it''s",
      "'",
      "--",
      "\n",
      "/*",
      "*/",
      "\"",
      "$$",
      "$a$",
      "/* x */",
      "\"for update\"",
      "FOR",
      "Update",
      "-",
      "b$a$"
    };
    Random random = new Random(seed);
    int locks = 0;
    for (int i = 0; i < 2_000; i++) {
      StringBuilder sql = new StringBuilder("select");
      for (int n = random.nextInt(25); n >= 0; n--) {
        sql.append(random.nextInt(4) == 0 ? "" : " ").append(pieces[random.nextInt(pieces.length)]);
      }
      boolean expected = SlowReader.locks(sql.toString());
      locks += expected ? 1 : 0;
      assertThat(SqlTraits.scan(sql.toString()).locking())
          .as("seed %d, text %d: %s", seed, i, sql)
          .isEqualTo(expected);
    }
    assertThat(locks).as("texts with a lock, seed %d", seed).isBetween(10, 1_000);
  }

  @Test
  void theTimeOfAScanGrowsWithTheLengthAndNoFaster() {
    String[] hostile = {
      "(",
      ")",
      "[",
      "{",
      "/*",
      "*/",
      "/*/",
      "--",
      "--\n",
      "'",
      "\"",
      "\"\"",
      "$",
      "$a$",
      "$a",
      "e'",
      "e'\\",
      "e'a'\n",
      "$$",
      ";",
      "for ",
      "with a as (",
      "as (update t ",
      "set_config(1,2,",
      "1e",
      "u&\"",
      "explain (",
      "a",
      "nextval(",
      "select 1;"
    };
    for (String piece : hostile) {
      String shorter = "select " + piece.repeat(200_000 / piece.length());
      String longer = "select " + piece.repeat(1_600_000 / piece.length());
      fastest(shorter);
      long quick = fastest(shorter);
      long slow = fastest(longer);
      // Eight times the text; 64 times the time would be quadratic.
      assertThat(slow)
          .as("%s: %d ns, %d ns", piece, quick, slow)
          .isLessThan(quick * 30 + 5_000_000);
    }
  }

  private static long fastest(String sql) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long start = System.nanoTime();
      assertThat(SqlTraits.scan(sql)).isNotNull();
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }

  // Composition

  private static Fragment statements(Random random) {
    int count = random.nextInt(4) == 0 ? 2 + random.nextInt(3) : 1;
    Fragment all = statement(random);
    for (int i = 1; i < count; i++) {
      Fragment next = statement(random);
      Set<String> traits = union(union(all.traits, next.traits), Set.of("multiple"));
      all = new Fragment(all.sql + " ; " + next.sql, traits);
    }
    return random.nextBoolean() ? all : new Fragment("; " + all.sql + " ; ;", all.traits);
  }

  private static Fragment statement(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> pick(UTILITIES, random);
      case 1 -> withWrites(random);
      case 2 -> {
        Fragment inner = executable(random);
        yield new Fragment(
            "prepare p ( int ) as " + inner.sql, union(inner.traits, Set.of("session-state")));
      }
      case 3 -> new Fragment("explain ( costs off ) " + executable(random).sql, Set.of());
      case 4 -> {
        Fragment inner = executable(random);
        yield new Fragment("explain ( analyze , costs off ) " + inner.sql, inner.traits);
      }
      case 5 -> {
        Fragment inner = query(random, 2);
        yield new Fragment("copy ( " + inner.sql + " ) to stdout", inner.traits);
      }
      default -> executable(random);
    };
  }

  private static Fragment executable(Random random) {
    return random.nextInt(3) == 0 ? pick(MODIFICATIONS, random) : query(random, 4);
  }

  private static Fragment withWrites(Random random) {
    Fragment first = query(random, 2);
    Fragment second = pick(MODIFICATIONS, random);
    Fragment main = executable(random);
    boolean nested = main.sql.startsWith("with");
    return new Fragment(
        "with a as ( "
            + first.sql
            + " ) , b ( c ) as materialized ( "
            + second.sql
            + " returning * ) "
            + (nested ? "( " + main.sql + " )" : main.sql),
        union(union(first.traits, second.traits), main.traits));
  }

  private static Fragment query(Random random, int depth) {
    if (depth == 0) {
      return pick(QUERIES, random);
    }
    Fragment inner = query(random, depth - 1);
    return switch (random.nextInt(7)) {
      case 0 -> new Fragment("( " + inner.sql + " )", inner.traits);
      case 1 -> new Fragment("select * from ( " + inner.sql + " ) s", inner.traits);
      case 2 -> new Fragment("with update as ( " + inner.sql + " ) select 1", inner.traits);
      case 3 -> new Fragment("select array [ ( " + inner.sql + " ) ]", inner.traits);
      case 4 -> {
        Fragment other = query(random, depth - 1);
        yield new Fragment(
            "( " + inner.sql + " ) union all ( " + other.sql + " )",
            union(inner.traits, other.traits));
      }
      case 5 -> new Fragment("select coalesce ( ( " + inner.sql + " ) , 1 )", inner.traits);
      default -> inner;
    };
  }

  private static Fragment pick(List<Fragment> fragments, Random random) {
    return fragments.get(random.nextInt(fragments.size()));
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> all = new TreeSet<>(one);
    all.addAll(other);
    return all;
  }

  private static String named(Set<String> traits) {
    List<String> inOrder =
        new ArrayList<>(
            List.of(
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
                "vain-lock"));
    inOrder.retainAll(traits);
    return inOrder.toString();
  }

  // Disguise

  private static final String[] BLANKS = {
    " ",
    "\n",
    "\t \r\n",
    "\f",
    "/**/",
    " /* for update */ ",
    "/* ; /* insert into */ ' */",
    " -- for update ' $$ /*\n",
    " --\r"
  };

  private static String disguise(String sql, Random random) {
    StringBuilder text = new StringBuilder();
    boolean upper = false;
    int at = 0;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (c == '\'' || c == '"' || c == '$') {
        int end = endOfQuoted(sql, at);
        text.append(sql, at, end);
        at = end;
      } else if (c == ' ') {
        text.append(BLANKS[random.nextInt(BLANKS.length)]);
        upper = random.nextBoolean();
        at++;
      } else {
        text.append(upper ? Character.toUpperCase(c) : c);
        at++;
      }
    }
    return text.toString();
  }

  /** The end of the literals used in the fragments above. */
  private static int endOfQuoted(String sql, int at) {
    if (sql.startsWith("'it\\'s'", at)) {
      return at + "'it\\'s'".length();
    }
    String quote = sql.charAt(at) == '$' ? sql.substring(at, sql.indexOf('$', at + 1) + 1) : "'";
    quote = sql.charAt(at) == '"' ? "\"" : quote;
    return sql.indexOf(quote, at + quote.length()) + quote.length();
  }

  /** Blanks out what is quoted by one regular expression, then looks for the clause by another. */
  private static final class SlowReader {
    private static final Pattern QUOTED =
        Pattern.compile(
            "(?s)(?<name>[a-z_][a-z0-9_$]*)|--[^\\n\\r]*|'[^']*('|$)|\"[^\"]*(\"|$)"
                + "|(?<tag>\\$([a-z_][a-z0-9_]*)?\\$).*?(\\k<tag>|$)|/\\*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern LOCK =
        Pattern.compile("(?is)\\sfor\\s+((no\\s+key\\s+)?update|(key\\s+)?share)\\s");

    static boolean locks(String sql) {
      StringBuilder plain = new StringBuilder();
      String rest = sql;
      var found = QUOTED.matcher(rest);
      while (found.find()) {
        plain.append(rest, 0, found.start());
        int end = found.end();
        if (found.group("name") != null) {
          plain.append(' ').append(found.group()).append(' ');
        } else if (found.group().equals("/*")) {
          plain.append(' ');
          end = endOfComment(rest, found.start());
        } else if (found.group().startsWith("--")) {
          plain.append(' ');
        } else {
          plain.append(" # ");
        }
        rest = rest.substring(end);
        found = QUOTED.matcher(rest);
      }
      return LOCK.matcher(plain.append(rest)).find();
    }

    private static int endOfComment(String text, int start) {
      int end = text.indexOf("*/", start + 2);
      int inner = text.indexOf("/*", start + 2);
      while (inner >= 0 && end >= 0 && inner < end) {
        int after = endOfComment(text, inner);
        end = after < text.length() || text.endsWith("*/") ? text.indexOf("*/", after) : -1;
        inner = text.indexOf("/*", after);
      }
      return end < 0 ? text.length() : end + 2;
    }
  }
}
