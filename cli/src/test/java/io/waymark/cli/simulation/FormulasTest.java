package io.waymark.cli.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulasTest {
  @ParameterizedTest
  @CsvSource({"0.5, 1.2657", "0.7, 1.6145", "0.9, 2.6141", "0.95, 3.3830", "0.99, 5.4320"})
  void twoChoicesTakeAsLongAsIsPublished(double load, double mean) {
    assertThat(Formulas.twoChoices(load)).isCloseTo(mean, within(0.0001));
  }

  @Test
  void oneQueueIsExponential() {
    assertThat(Formulas.oneQueue(0.9)).isCloseTo(10, within(1e-9));
    assertThat(Formulas.oneQueue(0.9, 0.99)).isCloseTo(46.05, within(0.01));
  }

  @Test
  void theFullestOfFewBinsCanBeCounted() {
    // one bin has a Poisson number of mean 1
    assertThat(Formulas.fullestBin(1)).isCloseTo(1, within(1e-9));
    assertThat(Formulas.fullestBin(1_000)).isBetween(5.4, 5.6);
  }
}
