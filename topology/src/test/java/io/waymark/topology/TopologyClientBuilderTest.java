package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyClientBuilderTest {
  private static TopologyClientBuilder builder() {
    return TopologyClient.builder(new FakeStore());
  }

  @Test
  void nothingHasToBeGiven() {
    TopologyClientConfig config = builder().config();

    assertThat(config.ttl()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.negativeTtl()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.readTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.staleIfError()).isZero();
    assertThat(config.refreshAhead()).isZero();
    assertThat(config.maxGroups()).isEqualTo(10_000);
    assertThat(config.highWaterGroups()).isEqualTo(100_000);
    assertThat(config.seed()).isEmpty();
    assertThat(config.fallback()).isEmpty();
  }

  @Test
  void textsAndTypedValuesLeadToTheSame() {
    TopologyClientBuilder texts =
        builder()
            .properties(
                Map.of(
                    "ttl", "1m",
                    "negativeTtl", "2s",
                    "readTimeout", "500ms",
                    "staleIfError", "5m",
                    "refreshAhead", "10s",
                    "maxGroups", "7",
                    "highWaterGroups", "8"));
    TopologyClientBuilder typed =
        builder()
            .ttl(Duration.ofMinutes(1))
            .negativeTtl(Duration.ofSeconds(2))
            .readTimeout(Duration.ofMillis(500))
            .staleIfError(Duration.ofMinutes(5))
            .refreshAhead(Duration.ofSeconds(10))
            .maxGroups(7)
            .highWaterGroups(8);

    assertThat(texts.config()).hasToString(typed.config().toString());
    assertThat(texts.config().ttl()).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource({
    "ttl, 0s",
    "ttl, 30",
    "ttl, -1s",
    "ttl, 30 days",
    "negativeTtl, 0s",
    "readTimeout, 0ms",
    "staleIfError, -1s",
    "refreshAhead, soon",
    "maxGroups, 0",
    "maxGroups, many",
    "highWaterGroups, -1",
  })
  void aTextThatCannotBeUsedIsRefusedByItsNameAndWithWhatIs(String path, String text) {
    assertThatThrownBy(() -> builder().properties(Map.of(path, text)))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: ")
        .hasMessageContaining(path)
        .hasMessageContaining(text)
        .hasMessageContaining("Accepted: ");
  }

  @Test
  void aTypedValueThatCannotBeUsedIsRefusedAtOnce() {
    assertThatThrownBy(() -> builder().ttl(Duration.ZERO)).hasMessageContaining("ttl");
    assertThatThrownBy(() -> builder().readTimeout(Duration.ofDays(25)))
        .hasMessageContaining("readTimeout");
    assertThatThrownBy(() -> builder().staleIfError(Duration.ofSeconds(-1)))
        .hasMessageContaining("staleIfError");
    assertThatThrownBy(() -> builder().maxGroups(0)).hasMessageContaining("maxGroups");
  }

  @Test
  void aKeyThatIsNoOptionIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> builder().properties(Map.of("ttlMs", "30s")))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("\"ttlMs\" is not an option")
        .hasMessageContaining("did you mean ttl?");
  }

  @Test
  void aRefreshMustBeginWithinTheShortestTimeToLive() {
    TopologyClientBuilder late = builder().refreshAhead(Duration.ofSeconds(24));

    assertThatThrownBy(late::build)
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("refreshAhead")
        .hasMessageContaining("24s");
    assertThat(late.ttl(Duration.ofSeconds(31)).config().refreshAhead())
        .isEqualTo(Duration.ofSeconds(24));
  }
}
