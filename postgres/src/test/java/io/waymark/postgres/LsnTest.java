package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SeededRandomExtension.class)
class LsnTest {
  private static final long BLOCK = 8 * 1024;
  private static final long SEGMENT = 16 * 1024 * 1024;

  @ParameterizedTest
  @CsvSource({
    "0/0, 0",
    "0/1, 1",
    "16/B374D848, 97500059720",
    "1/0, 4294967296",
    "FFFFFFFF/FFFFFFFF, 18446744073709551615",
    "80000000/0, 9223372036854775808",
  })
  void readsAndWritesPostgresTextForm(String text, String number) {
    long lsn = Long.parseUnsignedLong(number);

    assertThat(Lsn.parse(text)).isEqualTo(lsn);
    assertThat(Lsn.format(lsn)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "0",
        "0/",
        "/0",
        "0/0/0",
        "G/0",
        "0/G",
        "-1/0",
        "0/-1",
        "+1/0",
        "0/+1",
        " 0/0",
        "0/0 ",
        "100000000/0",
        "0/100000000"
      })
  void refusesEverythingElse(String text) {
    assertThatThrownBy(() -> Lsn.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyPositionSurvivesItsTextForm(SeededRandom random) {
    for (int i = 0; i < 10_000; i++) {
      long lsn = random.nextLong() >>> random.nextInt(64);

      assertThat(Lsn.parse(Lsn.format(lsn))).as("%s", random).isEqualTo(lsn);
    }
  }

  @Test
  void positionsCompareAsUnsignedNumbers(SeededRandom random) {
    for (int i = 0; i < 10_000; i++) {
      long a = random.nextLong() >>> random.nextInt(64);
      long b = random.nextLong() >>> random.nextInt(64);
      BigInteger difference = unsigned(a).subtract(unsigned(b));

      assertThat(Lsn.reached(a, b)).as("%s", random).isEqualTo(difference.signum() >= 0);
      assertThat(Lsn.max(a, b)).isEqualTo(difference.signum() >= 0 ? a : b);
      assertThat(unsigned(Lsn.distance(a, b))).isEqualTo(difference.max(BigInteger.ZERO));
    }
  }

  private static BigInteger unsigned(long number) {
    return new BigInteger(Long.toUnsignedString(number));
  }

  @ParameterizedTest
  @CsvSource({
    // behind a page's header: back to the end of the page before
    "0/5510018, 0/5510000",
    // behind a segment's longer header
    "0/6000028, 0/6000000",
    // a page's header is no step back in the first page of a segment
    "0/6000018, 0/6000018",
    // the second page of a segment
    "0/6002018, 0/6002000",
    // elsewhere nothing happens
    "0/5510010, 0/5510010",
    "0/5510020, 0/5510020",
    "0/5510028, 0/5510028",
    "0/5510000, 0/5510000",
    "0/6000000, 0/6000000",
    "FFFFFFFF/FF000028, FFFFFFFF/FF000000",
  })
  void anInsertPositionMovesBackOverAHeader(String insert, String normalised) {
    assertThat(Lsn.format(Lsn.normalised(Lsn.parse(insert), BLOCK, SEGMENT))).isEqualTo(normalised);
  }

  @Test
  void normalisingMovesBackByAHeaderAtMostAndOnlyOnce(SeededRandom random) {
    for (int i = 0; i < 10_000; i++) {
      long page = (random.nextLong() >>> 8) / BLOCK * BLOCK;
      long insert = page + random.nextInt(8) * 8L;

      long once = Lsn.normalised(insert, BLOCK, SEGMENT);

      assertThat(insert - once).as("%s", random).isIn(0L, 24L, 40L);
      assertThat(once == insert || once % BLOCK == 0).isTrue();
      assertThat(Lsn.normalised(once, BLOCK, SEGMENT)).isEqualTo(once);
    }
  }
}
