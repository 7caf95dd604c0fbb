package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OptionPropertiesTest {
  private static final String A = "jdbc:postgresql://db-a/app";
  private static final String B = "jdbc:postgresql://db-b/app";

  private static WaymarkDataSourceConfig config(Map<String, String> texts) {
    return WaymarkDataSource.builder().properties(texts).config();
  }

  @Test
  void everyOptionCanBeGivenAsText() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("replicas[1].pool.max", "4");
    texts.put("replicas[1].url", " " + B + " ");
    texts.put("replicas[1].name", "east");
    texts.put("replicas[1].weight", "2.5");
    texts.put("replicas[1].zone", "zone b");
    texts.put("replicas[0].url", B);
    texts.put("primary", A);
    texts.put("user", "app");
    texts.put("password", " with spaces ");
    texts.put("max", "16");
    texts.put("acquireTimeout", "2s");
    texts.put("connectTimeout", "1500ms");
    texts.put("routing.probe", "250");
    texts.put("routing.select", "latencyAware");
    texts.put("routing.consistency", "eventual");
    texts.put("routing.fallback", "error");
    texts.put("routing.maxLag", "16MB");
    texts.put("routing.nudge", "on");
    texts.put("routing.zone", "a");

    WaymarkDataSourceConfig config = config(texts);

    assertThat(config.primary()).isEqualTo(new EndpointConfig("primary", 0, A, 1, 16, null));
    assertThat(config.replicas())
        .containsExactly(
            new EndpointConfig("replica-1", 1, B, 1, 16, null),
            new EndpointConfig("east", 2, B, 2.5, 4, "zone b"));
    assertThat(config.user()).contains("app");
    assertThat(config.password().map(Supplier::get)).contains(" with spaces ");
    assertThat(config.acquireTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofMillis(1500));
    assertThat(config.routing())
        .isEqualTo(
            new RoutingConfig(
                Duration.ofMillis(250),
                Select.LATENCY_AWARE,
                Consistency.EVENTUAL,
                Fallback.ERROR,
                new MaxLag.Bytes(16 << 20),
                Nudge.ON,
                "a"));
  }

  @ParameterizedTest
  @EnumSource
  void everyDefaultIsAcceptedAndChangesNothing(PostgresOption option) {
    if (option.defaultText().isEmpty()) {
      return;
    }
    Map<String, String> texts = new LinkedHashMap<>(Map.of("primary", A, "replicas[0].url", B));
    WaymarkDataSourceConfig before = config(texts);
    texts.put(option.at(0).path(), option.defaultText());
    WaymarkDataSourceConfig after = config(texts);

    assertThat(after)
        .usingRecursiveComparison()
        .ignoringFields("onRoute", "ticker", "random")
        .isEqualTo(before);
  }

  @Test
  void aLoneEndpointCanBeGivenAsText() {
    assertThat(config(Map.of("single", A)).single()).isTrue();
  }

  @Test
  void propertiesCountWithTheirDefaults() {
    Properties defaults = new Properties();
    defaults.setProperty("primary", A);
    defaults.setProperty("max", "3");
    Properties properties = new Properties(defaults);
    properties.setProperty("max", "4");

    WaymarkDataSourceConfig config = WaymarkDataSource.builder().properties(properties).config();

    assertThat(config.primary()).isEqualTo(new EndpointConfig("primary", 0, A, 1, 4, null));
  }

  @Test
  void propertiesThatAreNotTextAreRefused() {
    Properties properties = new Properties();
    properties.put("max", 3);
    assertThatThrownBy(() -> WaymarkDataSource.builder().properties(properties))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining("\"max\" is not text");
    properties.clear();
    properties.put(3, "max");
    assertThatThrownBy(() -> WaymarkDataSource.builder().properties(properties))
        .isExactlyInstanceOf(OptionException.class);
  }

  @Test
  void theLaterValueCounts() {
    WaymarkDataSourceConfig config =
        WaymarkDataSource.builder()
            .max(1)
            .properties(Map.of("primary", A, "max", "2", "routing.probe", "2s"))
            .routing(r -> r.probe("3s"))
            .config();
    assertThat(config.primary().max()).isEqualTo(2);
    assertThat(config.routing().probe()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @CsvSource({
    "routing.maxlag, did you mean routing.maxLag?",
    "routing.maxLagg, did you mean routing.maxLag?",
    "maxLag, is not an option",
    "pasword, did you mean password?",
    "primary.url, is not an option",
    "replicas[3].wieght, did you mean replicas[3].weight?",
    "replicas[0], did you mean replicas[0].url?",
    "replica[0].url, did you mean replicas[0].url?",
    "replicas[i].url, did you mean replicas[0].url?",
    "replicas[00].url, is not an option",
    "replicas[-1].url, is not an option",
    "replicas[99999999999].url, is not an option",
    "replicas[0][1].url, is not an option",
    "replicas[0].pool[1].max, is not an option",
    "max[0], is not an option",
    "Primary, did you mean primary?",
    "' primary', did you mean primary?",
    "zzzzzzzz, is not an option. Accepted: primary",
    "'', is not an option"
  })
  void anUnknownKeyIsRefused(String key, String hint) {
    assertThatThrownBy(() -> config(Map.of(key, "hunter2")))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining(hint)
        .hasMessageContainingAll("Accepted: primary, replicas[i].url, user,", "routing.maxLag")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aUrlInPlaceOfAKeyIsNotShown() {
    assertThatThrownBy(() -> config(Map.of("jdbc:postgresql://h/d?password=hunter2", "")))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining("\"jdbc…\" is not an option")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void replicasCountFromZeroWithoutAGap() {
    assertThatThrownBy(() -> config(Map.of("primary", A, "replicas[1].url", B)))
        .hasMessageContaining("replicas[1] is given but replicas[0] is not");
    assertThatThrownBy(
            () -> config(Map.of("primary", A, "replicas[0].url", B, "replicas[2].name", "x")))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining("replicas[2] is given but replicas[1] is not");
  }

  @Test
  void moreThanTenReplicasKeepTheirOrder() {
    Map<String, String> texts = new LinkedHashMap<>(Map.of("primary", A));
    for (int i = 11; i >= 0; i--) {
      texts.put("replicas[" + i + "].url", "jdbc:postgresql://db-" + i + "/app");
    }
    WaymarkDataSourceConfig config = config(texts);
    assertThat(config.replicas()).hasSize(12);
    assertThat(config.replicas().get(10).address()).isEqualTo("db-10:5432/app");
    assertThat(config.replicas().get(10).name()).isEqualTo("replica-11");
  }

  @Test
  @SuppressWarnings("NullAway") // what a variable of the environment that is not set looks like
  void aValueThatIsNullIsMissing() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("replicas[0].url", System.getenv("WAYMARK_SURELY_NOT_SET"));
    assertThatThrownBy(() -> config(texts))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining("replicas[0].url is missing");
  }

  @Test
  void replicasAreGivenInOneWay() {
    WaymarkDataSourceBuilder builder = WaymarkDataSource.builder().primary(A).replica(B);
    assertThatThrownBy(() -> builder.properties(Map.of("replicas[0].url", B)))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining("replicas were added before");
  }

  @ParameterizedTest
  @CsvSource({
    "primary, '', primary cannot be used: it is empty",
    "primary, mysql, primary cannot be used",
    "replicas[0].url, '', replicas[0].url cannot be used: it is empty",
    "replicas[0].name, east, replicas[0].url is missing",
    "replicas[0].weight, 0, 'replicas[0].weight cannot be \"0\"'",
    "replicas[0].weight, NaN, 'replicas[0].weight cannot be \"NaN\": it is not a number'",
    "replicas[0].weight, Infinity, 'replicas[0].weight cannot be \"Infinity\"'",
    "replicas[0].name, ' ', 'replicas[0].name cannot be \"\": it must not be empty'",
    "replicas[0].zone, '', 'replicas[0].zone cannot be \"\": it must not be empty'",
    "routing.zone, ' ', 'routing.zone cannot be \"\": it must not be empty. Accepted: a name, such as'",
    "replicas[0].pool.max, 0, replicas[0].pool.max cannot be 0",
    "replicas[0].pool.max, 1.5, 'replicas[0].pool.max cannot be \"1.5\": it is not a whole number'",
    "user, '', 'user cannot be \"\"'",
    "max, many, 'max cannot be \"many\": it is not a whole number. Accepted: a positive whole'",
    "acquireTimeout, 30, 'acquireTimeout cannot be \"30\"'",
    "connectTimeout, 0s, 'connectTimeout cannot be \"0s\": it must be positive'",
    "routing.probe, 0, 'routing.probe cannot be \"0\"'",
    "routing.select, 3, 'routing.select cannot be \"3\"'",
    "routing.consistency, strong, 'routing.consistency cannot be \"strong\"'",
    "routing.nudge, true, 'routing.nudge cannot be \"true\"'",
    "routing.fallback, none, 'routing.fallback cannot be \"none\"'",
    "routing.maxLag, 5, 'routing.maxLag cannot be \"5\": a number without a unit'"
  })
  void aBadTextIsRefusedLikeABadTypedValue(String key, String text, String message) {
    assertThatThrownBy(() -> config(Map.of(key, text)))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContainingAll(message, "Accepted: ");
  }
}
