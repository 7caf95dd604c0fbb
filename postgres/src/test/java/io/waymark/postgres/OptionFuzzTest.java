package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * Whatever the text, options are read or refused with an {@link OptionException}, and no secret is
 * shown. With {@code JAZZER_FUZZ=1} in the environment the fuzzer searches; without it, known
 * inputs are run again.
 */
class OptionFuzzTest {
  private static final String SECRET = "hunter2";

  private static final List<String> KEYS =
      List.of(
          "primary",
          "replicas[0].url",
          "replicas[0].weight",
          "replicas[0].name",
          "replicas[0].pool.max",
          "replicas[1].url",
          "replicas[1].name",
          "user",
          "max",
          "acquireTimeout",
          "connectTimeout",
          "single",
          "pooler",
          "properties.sslmode",
          "properties.options",
          "properties.sslpassword",
          "properties.socketFactory",
          "properties.socketTimeout",
          "routing.probe",
          "routing.select",
          "routing.consistency",
          "routing.fallback",
          "routing.maxLag",
          "routing.nudge");

  @FuzzTest(maxDuration = "1m")
  void textIsReadOrRefused(FuzzedDataProvider data) {
    PostgresOption option = data.pickValue(PostgresOption.values());
    String text = data.consumeRemainingAsString();
    readOrRefused(() -> OptionText.duration(option, text));
    readOrRefused(() -> OptionText.waitTimeOrMillis(option, text));
    readOrRefused(() -> OptionText.size(option, text));
    readOrRefused(() -> OptionText.positiveInt(option, text));
    readOrRefused(() -> OptionText.positiveDecimal(option, text));
    readOrRefused(() -> OptionText.choice(option, text, Select.BuiltIn.class));
    readOrRefused(
        () -> assertThat(MaxLag.parse(MaxLag.parse(text).text())).isEqualTo(MaxLag.parse(text)));
  }

  @FuzzTest(maxDuration = "1m")
  void aUrlThatIsAcceptedIsTheDriversToo(FuzzedDataProvider data) {
    String url = "jdbc:postgresql:" + data.consumeRemainingAsString();
    readOrRefused(
        () -> {
          EndpointUrl ours = EndpointUrl.parse(PostgresOption.PRIMARY, url);
          Properties theirs = Driver.parseURL(url, new Properties());
          assertThat(theirs).isNotNull();
          assertThat(ours.port()).isEqualTo(Integer.parseInt(theirs.getProperty("PGPORT", "5432")));
        });
  }

  @FuzzTest(maxDuration = "1m")
  void propertiesAreReadOrRefused(FuzzedDataProvider data) {
    Map<String, String> texts = new HashMap<>();
    texts.put("primary", "jdbc:postgresql://db-a/app?password=" + SECRET);
    texts.put("password", SECRET);
    while (data.remainingBytes() > 0) {
      String key = data.consumeBoolean() ? data.pickValue(KEYS) : data.consumeString(40);
      String value = data.consumeString(60);
      if (key.contains(SECRET) || value.contains(SECRET)) {
        return; // then it is no secret
      }
      texts.put(key, value);
      readOrRefused(
          () -> {
            WaymarkDataSourceConfig config = WaymarkDataSource.builder().properties(texts).config();
            assertThat(config.toString()).doesNotContain(SECRET);
          });
    }
  }

  private static void readOrRefused(Runnable read) {
    try {
      read.run();
    } catch (OptionException refused) {
      assertThat(refused)
          .hasMessageStartingWith("WM1120: ")
          .hasMessageMatching("\\P{Cntrl}*")
          .hasMessageNotContaining(SECRET);
    }
  }
}
