package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a timeline's history file says of its beginning. */
class TimelineHistoryTest {
  @ParameterizedTest
  @CsvSource({
    "'1\t0/3000060\tno recovery target specified\n', 2, 0/3000060",
    "'1\t0/3000060\tx\n\n2\tA/B0\tat restore point \"y\"\n# z', 3, A/B0",
    "'1\t0/3000060\tx\n', 3, 0/0", // the second timeline is no ancestor of the third
    "'', 2, 0/0",
    "'one two', 2, 0/0",
    "'1\t0/3000060\n2', 3, 0/0",
  })
  void theParentIsTheLastLine(String text, int timeline, String fork) {
    assertThat(TimelineHistory.fork(text, timeline)).isEqualTo(Lsn.parse(fork));
  }
}
