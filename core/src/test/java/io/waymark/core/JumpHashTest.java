package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.google.common.hash.Hashing;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JumpHashTest {
  private static final int KEYS = 100_000;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void itIsTheAlgorithmThatGuavaHas(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      long key = random.nextBoolean() ? random.nextLong() : random.nextInt(1_000);
      int buckets = 1 + random.nextInt(random.nextBoolean() ? 20 : Integer.MAX_VALUE - 1);

      assertThat(JumpHash.bucket(key, buckets))
          .as("seed %d, key %d, buckets %d", seed, key, buckets)
          .isEqualTo(Hashing.consistentHash(key, buckets));
    }
  }

  @ParameterizedTest(name = "{0} buckets")
  @CsvSource({"8, 1.03", "16, 1.05", "64, 1.1"})
  void keysAreSpreadEvenly(int buckets, double most) {
    int[] counts = new int[buckets];
    for (int key = 0; key < KEYS; key++) {
      counts[JumpHash.bucket("key-" + key, buckets)]++;
    }

    double mean = (double) KEYS / buckets;
    assertThat(Arrays.stream(counts).max().orElseThrow() / mean).isBetween(1.0, most);
  }

  @ParameterizedTest(name = "{0} buckets")
  @ValueSource(ints = {1, 2, 8, 16, 64})
  void anotherBucketTakesItsShareAndMovesNothingElse(int buckets) {
    int moved = 0;
    for (int key = 0; key < KEYS; key++) {
      int before = JumpHash.bucket("key-" + key, buckets);
      int after = JumpHash.bucket("key-" + key, buckets + 1);
      if (after != before) {
        assertThat(after).isEqualTo(buckets);
        moved++;
      }
    }

    assertThat((double) moved / KEYS).isCloseTo(1.0 / (buckets + 1), within(0.006));
  }

  @Test
  void withoutABucketThereIsNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JumpHash.bucket(1, 0))
        .withMessage("buckets must be at least 1, was 0");
  }
}
