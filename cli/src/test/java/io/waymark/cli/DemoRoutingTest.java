package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoRoutingTest {
  @TempDir private Path folder;

  @Test
  void theResultIsPrintedBesideWhatWasExpectedAndDrawn() throws Exception {
    Path chart = folder.resolve("routing.svg");

    CommandRun run =
        CommandRun.of("demo", "routing", "--quick", "--no-live", "--chart", chart.toString());

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .contains("measured", "expected", "supermarket: as expected", "HELD", chart.toString());
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(chart.toFile())
                .getDocumentElement()
                .getTagName())
        .isEqualTo("svg");
  }

  @Test
  void theJsonHasTheNamesThatScriptsReadAndTheSameSeedGivesTheSame() {
    String[] command = {
      "demo", "routing", "--quick", "--seed", "2", "--json", "-", "--chart", chart()
    };
    CommandRun run = CommandRun.of(command);

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = new JsonMapper().readTree(run.out());
    assertThat(json.propertyNames())
        .containsExactly(
            "parameters",
            "held",
            "checks",
            "ballsIntoBins",
            "supermarket",
            "staleBoard",
            "sinkholeShare",
            "slowMembers",
            "joiningShare",
            "subsetChurn",
            "widthOverTime",
            "smallCases");
    assertThat(json.get("supermarket").propertyNames()).containsExactly("0.7", "0.9", "0.95");
    assertThat(json.get("supermarket").get("0.9").propertyNames())
        .containsExactly("mean", "formula");
    assertThat(json.get("staleBoard").propertyNames()).containsExactly("10", "50");
    assertThat(json.get("staleBoard").get("10").propertyNames())
        .containsExactly("meanP2c", "meanDefault", "meanManyCallers", "meanRandom");
    assertThat(json.get("slowMembers").propertyNames())
        .contains("p99Random", "p99RoundRobin", "p99Improved");
    assertThat(json.get("joiningShare").propertyNames()).containsExactly("10", "50", "100");
    assertThat(json.get("sinkholeShare").asDouble()).isBetween(0.0, 0.03);
    assertThat(json.get("subsetChurn").asInt()).isEqualTo(1);
    assertThat(json.get("widthOverTime")).isNotEmpty();
    assertThat(json.get("widthOverTime").get(0).propertyNames())
        .containsExactly("second", "improved", "compatible");
    assertThat(CommandRun.of(command).out()).isEqualTo(run.out());
  }

  @Test
  void onlyTheScenariosThatAreNamedAreRun() {
    CommandRun run =
        CommandRun.of(
            "demo",
            "routing",
            "--scenario",
            "subsetChurn",
            "--quick",
            "--json",
            "-",
            "--chart",
            chart());

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = new JsonMapper().readTree(run.out());
    assertThat(json.get("supermarket").isNull()).isTrue();
    assertThat(json.get("subsetChurn").asInt()).isEqualTo(1);
    assertThat(Files.exists(Path.of(chart()))).isTrue();
  }

  @Test
  void aScenarioThatDoesNotExistIsWrongUse() {
    CommandRun run = CommandRun.of("demo", "routing", "--scenario", "slowMember");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--scenario", "slowMember", "did you mean slowMembers?");
  }

  private String chart() {
    return folder.resolve("chart.svg").toString();
  }
}
