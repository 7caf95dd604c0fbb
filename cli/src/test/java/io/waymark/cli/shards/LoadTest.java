package io.waymark.cli.shards;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadTest {
  @Test
  void onlyAnAnswerIsTakenForOneAlsoToAQuestion() {
    assertThat(Load.answered(new Said.Acknowledged(7, "1.1@a", "", Limits.NONE))).hasValue(7);
    assertThat(Load.answered(new Said.Unknown(8, "why"))).hasValue(8);
    assertThat(Load.answered(new Said.Unknown(Order.QUESTION, "why"))).hasValue(Order.QUESTION);

    assertThat(Load.answered(new Said.Ready())).isEmpty();
    assertThat(Load.answered(new Said.Published())).isEmpty();
    assertThat(Load.answered(new Said.Believes("1.1@a", "", 1, -1))).isEmpty();
    assertThat(Load.answered(new Said.Holds("1.1@a", 1, 1, 1, 1, 0))).isEmpty();
  }
}
