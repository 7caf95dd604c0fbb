package io.waymark.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class SeededRandomTest {

  @AfterEach
  void forgetTheProperty() {
    System.clearProperty(SeededRandom.PROPERTY);
  }

  @Test
  void theSameSeedGivesTheSameNumbers() {
    SeededRandom first = SeededRandom.create();
    SeededRandom again = SeededRandom.of(first.seed());

    assertThat(List.of(again.nextLong(), again.nextInt(), again.split().nextLong()))
        .isEqualTo(List.of(first.nextLong(), first.nextInt(), first.split().nextLong()));
  }

  @Test
  void thePropertyFixesTheSeed() {
    System.setProperty(SeededRandom.PROPERTY, " -42 ");

    assertThat(SeededRandom.create().seed()).isEqualTo(-42);
    assertThat(SeededRandom.create()).hasToString("seed -42 (repeat with -Dwaymark.seed=-42)");
  }

  @Test
  void aPropertyThatIsNoNumberNamesItself() {
    System.setProperty(SeededRandom.PROPERTY, "soup");

    assertThatIllegalArgumentException()
        .isThrownBy(SeededRandom::create)
        .withMessage("system property waymark.seed must be a decimal long, was 'soup'");
  }

  @Test
  @ExtendWith(SeededRandomExtension.class)
  void theExtensionGivesOneGeneratorToATest(SeededRandom random, RandomGenerator same) {
    assertThat(random).isSameAs(same);
  }
}
