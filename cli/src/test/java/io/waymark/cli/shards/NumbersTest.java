package io.waymark.cli.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theyAreTheSetOfAllThatWereAdded(long seed) {
    Random random = new Random(seed);
    SortedSet<Long> model = new TreeSet<>();
    Numbers numbers = Numbers.NONE;

    for (int i = 0; i < 300; i++) {
      long number = 1L + random.nextInt(200);
      model.add(number);
      numbers = numbers.with(number);

      assertThat(numbers.size()).as("seed " + seed).isEqualTo(model.size());
      assertThat(Numbers.parse(numbers.toString())).isEqualTo(numbers);
    }

    for (long number = 0; number <= 201; number++) {
      assertThat(numbers.contains(number))
          .as("seed " + seed + ", number " + number)
          .isEqualTo(model.contains(number));
    }
  }

  @Test
  void thoseThatFollowEachOtherAreShort() {
    Numbers numbers = Numbers.parse("1-41,43");

    assertThat(numbers.with(42)).hasToString("1-43");
    assertThat(numbers.with(44)).hasToString("1-41,43-44");
    assertThat(numbers.missing(java.util.List.of(44L, 42L, 7L))).containsExactly(42L, 44L);
  }
}
