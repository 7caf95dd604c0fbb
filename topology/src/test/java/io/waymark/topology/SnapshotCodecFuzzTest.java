package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Whatever the text, it is decoded or refused with an {@link InvalidSnapshotException}, and what is
 * decoded can be encoded and decoded to the same. With {@code JAZZER_FUZZ=1} in the environment the
 * fuzzer searches; without it, known inputs are run again.
 */
class SnapshotCodecFuzzTest {
  @FuzzTest(maxDuration = "1m")
  void textIsDecodedOrRefused(FuzzedDataProvider data) {
    String group = data.consumeBoolean() ? "acme" : data.consumeString(20);
    String text = data.consumeRemainingAsString();
    Published published;
    try {
      published = SnapshotCodec.decode(group, text);
    } catch (InvalidSnapshotException refused) {
      assertThat(refused).hasMessageStartingWith("WM2102: ").hasMessageMatching("\\P{Cntrl}*");
      return;
    }
    assertThat(published.group()).isEqualTo(group);
    assertThat(SnapshotCodec.decode(group, SnapshotCodec.encode(published))).isEqualTo(published);
  }
}
