package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StableHashTest {
  /** Worked out by another program: another value would move the keys of those who rely on it. */
  @ParameterizedTest
  @CsvSource({
    "'', efd01f60ba992926",
    "a, 82a2a958a9bece5b",
    "customer-7, 9eec2e60556af00e",
    "Zürich, edc816016b2c42e7"
  })
  void aTextHasTheSameHashForEver(String text, String hash) {
    assertThat(Long.toHexString(StableHash.of(text))).isEqualTo(hash);
  }

  @Test
  void textsThatDifferLittleDifferInEveryPart() {
    Set<Long> upper = new HashSet<>();
    Set<Long> lower = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      long hash = StableHash.of("key-" + i);
      upper.add(hash >>> 40);
      lower.add(hash & 0xffffff);
    }

    // Of 10,000 among 16 million, 3 meet another on average.
    assertThat(upper).hasSizeGreaterThan(9_980);
    assertThat(lower).hasSizeGreaterThan(9_980);
  }
}
