package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionDocsTest {
  @Test
  void eachTierThatHasOptionsGetsATableInTheOrderOfTiers() {
    List<Option> options = List.of(SampleOption.OPEN, SampleOption.SECRET);

    assertThat(OptionDocs.markdown(options, 2))
        .isEqualTo(
            """
            ## Essential

            | Option | Default | Accepted | What it does | Why the default |
            | --- | --- | --- | --- | --- |
            | `some.secret` | – | "this" \\| that | Does a thing. |  |

            ## Frequent

            | Option | Default | Accepted | What it does | Why the default |
            | --- | --- | --- | --- | --- |
            | `some.path` | `1s` | "this" \\| that | Does a thing. | Because. |
            """);
  }
}
