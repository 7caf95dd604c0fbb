package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.time.Duration;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any text whatever is answered, in time that its length bounds, and alike from the cache. With
 * {@code JAZZER_FUZZ=1} the fuzzer looks for a text that is not; otherwise the seeds run.
 */
class SqlTraitsFuzzTest {

  @ValueSource(
      strings = {
        "",
        "select 1 for update",
        "with x as (update only t set a = 1 returning *) select * from x; commit and chain",
        "explain (analyze off, costs) delete from t",
        "{? = call f('it''s', e'\\'', $a$ ? $a$)}",
        "select set_config('a', (b)[1], true), u&\"x\" /* /* */ */ -- y",
        "create function f() returns int begin atomic select case when a then 1 end; end",
        "set session characteristics as transaction isolation level serializable, read write",
        ")]};({[$$;'\"\\/*--e'\\"
      })
  @FuzzTest(maxDuration = "30s")
  void everyTextIsAnswered(@NotNull String sql) {
    SqlTraits traits = SqlTraits.scan(sql);

    assertThat(SqlTraits.of(sql)).isEqualTo(traits);
    assertThat(SqlTraits.of(sql)).isEqualTo(traits);
    assertThat(traits.empty() && traits.multiple()).isFalse();
    // The first scan of the process loads classes, and any scan may meet a pause; two do not.
    Duration limit = Duration.ofMillis(100).plusNanos(10_000L * sql.length());
    assertThat(Math.min(scanTime(sql), scanTime(sql))).isLessThan(limit.toNanos());
  }

  private static long scanTime(String sql) {
    long start = System.nanoTime();
    SqlTraits.scan(sql);
    return System.nanoTime() - start;
  }
}
