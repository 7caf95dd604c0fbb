package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionDocs;
import io.waymark.core.OptionException;
import io.waymark.testing.GeneratedPage;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeps the pages about options and errors and the code the same. */
class RoutingOptionDocsTest {
  private static final String OPTIONS =
      """
      # Options of the shard router

      <!-- Made from RoutingOption by RoutingOptionDocsTest: change the options, not this page. -->

      Nothing has to be given. Every option can be given in the typed builder or as text, by the paths
      below:

      ```java
      ShardRouter.builder(Mailbox.class).shards(mailboxes).invoke(Mailbox::enqueue).properties(Map.of(
          "softBacklogLimit", "500",
          "width.max", "16"));
      ```

      A value that cannot be used is refused before anything is called, with code WM1120 and a message
      that names the option, shows the value and says what is accepted. So is a key that is no option.
      Durations are a number and `ms`, `s` or `m`; fractions are allowed. The compatible policy has
      `softBacklogLimit` and `observations` only; its other numbers are the published ones.

      Only the builder has the shards and the call, `sharding`, `key`, `failure`, `onRoute` and `meters`,
      and in `picking(…)` `client`, `clientNumber`, `probe`, `onChange`, `ticker`, `clock` and `random`.

      """;

  private static final String ERRORS =
      """
      # Errors of the shard router

      <!-- Made from RoutingError by RoutingOptionDocsTest: change the errors, not this page. -->

      A code stands at the start of the message and never changes its meaning. What the call to a shard
      throws passes through as it is and has no code of ours; a group that cannot be had is the topology
      client's [WM2101](topology-errors.md).

      "Safe to retry" means that the same push may be made again without anything being done twice.

      | Code | Meaning | Safe to retry | What to do |
      | --- | --- | --- | --- |
      """;

  @Test
  void thePageAboutOptionsIsUpToDate() throws IOException {
    GeneratedPage.assertUpToDate(
        "routing-options.md", OPTIONS + OptionDocs.markdown(List.of(RoutingOption.values()), 2));
  }

  @Test
  void thePageAboutErrorsIsUpToDate() throws IOException {
    String rows =
        Arrays.stream(RoutingError.values())
            .map(
                error ->
                    row(
                        error.code(),
                        error.meaning(),
                        error.safeToRetry() ? "yes" : "no",
                        error.remedy()))
            .collect(Collectors.joining());
    GeneratedPage.assertUpToDate(
        "routing-errors.md",
        ERRORS
            + row(
                OptionException.CODE,
                "An option cannot be used. Nothing was called.",
                "no",
                "The message names the option and says what is accepted: see"
                    + " [options](routing-options.md).")
            + rows
            + row(
                "WM2310",
                "The caller of a push with a `Timeout` waits no longer. The call goes on, and may be"
                    + " accepted; the message says if it was not sent at all.",
                "no, unless it was not sent",
                "Push the same input again only if the shard recognises it."));
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  @Test
  void whatIsNotGivenHasTheDefaultOfTheText() {
    PickerConfig config = ShardPicker.builder().client("a").config();
    Map<String, String> texts =
        Arrays.stream(RoutingOption.values())
            .collect(Collectors.toMap(RoutingOption::path, RoutingOption::defaultText));

    PickerConfig same = ShardPicker.builder().client("a").properties(texts).config();

    assertThat(same).usingRecursiveComparison().ignoringFields("random").isEqualTo(config);
    assertThat(config).hasToString(same.toString());
  }

  @Test
  void everyOptionHasATextForm() {
    PickerConfig config =
        ShardPicker.builder()
            .properties(
                Map.ofEntries(
                    Map.entry("policy", "compatible"),
                    Map.entry("softBacklogLimit", "7"),
                    Map.entry("subset", "3"),
                    Map.entry("slowStart", "2s"),
                    Map.entry("width.start", "4"),
                    Map.entry("width.min", "3"),
                    Map.entry("width.max", "5"),
                    Map.entry("width.widenAfter", "3s"),
                    Map.entry("width.narrowAfter", "4s"),
                    Map.entry("ejection.failures", "6"),
                    Map.entry("ejection.max", "0.25"),
                    Map.entry("ejection.trialAfter", "5s"),
                    Map.entry("failureCost", "0s"),
                    Map.entry("window", "6s"),
                    Map.entry("observations", "8")))
            .config();

    assertThat(config.policy()).isEqualTo(RoutingPolicy.COMPATIBLE);
    assertThat(config.softBacklogLimit()).isEqualTo(7);
    assertThat(config.subset()).isEqualTo(3);
    assertThat(config.slowStart()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.startWidth()).isEqualTo(4);
    assertThat(config.minWidth()).isEqualTo(3);
    assertThat(config.maxWidth()).isEqualTo(5);
    assertThat(config.widenAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.narrowAfter()).isEqualTo(Duration.ofSeconds(4));
    assertThat(config.failuresToEject()).isEqualTo(6);
    assertThat(config.maxEjected()).isEqualTo(0.25);
    assertThat(config.trialAfter()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.failureCost()).isZero();
    assertThat(config.window()).isEqualTo(Duration.ofSeconds(6));
    assertThat(config.observations()).isEqualTo(8);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "policy, fastest",
    "softBacklogLimit, 0",
    "subset, -1",
    "slowStart, fast",
    "width.start, 0",
    "width.min, 65",
    "width.max, 0",
    "width.widenAfter, 0s",
    "width.narrowAfter, 0s",
    "ejection.failures, 0",
    "ejection.max, 1.01",
    "ejection.max, 0",
    "ejection.trialAfter, 0s",
    "failureCost, 1",
    "window, 0s",
    "observations, 0",
    "width.start, 100",
  })
  void whatCannotBeUsedIsRefusedByName(String path, String text) {
    assertThatThrownBy(() -> ShardPicker.builder().properties(Map.of(path, text)).config())
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: ")
        .hasMessageContaining(path.equals("width.min") ? "width.max" : path);
  }

  @Test
  void aKeyThatIsNoOptionIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> ShardPicker.builder().properties(Map.of("softBacklog", "5")))
        .hasMessageContaining("did you mean softBacklogLimit?");
  }

  @Test
  void aStartThatIsNotGivenFollowsTheBounds() {
    assertThat(ShardPicker.builder().minWidth(3).config().startWidth()).isEqualTo(3);
    assertThat(ShardPicker.builder().maxWidth(1).config().startWidth()).isEqualTo(1);
  }
}
