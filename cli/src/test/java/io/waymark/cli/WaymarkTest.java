package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaymarkTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "demo --lag 5                | --lag          | \"5\"      | such as 200ms",
        "demo --lag 11m              | --lag          | \"11m\"    | up to 10 minutes",
        "demo --think -1ms           | --think        | \"-1ms\"   | such as 200ms",
        "demo --seconds 0            | --seconds      | \"0\"      | from 1 to 86400",
        "demo --seconds 1.5          | --seconds      | \"1.5\"    | from 1 to 86400",
        "demo --sessions many        | --sessions     | \"many\"   | from 1 to 1000",
        "demo --replicas 10          | --replicas     | \"10\"     | from 1 to 9",
        "demo --max 81               | --max          | \"81\"     | from 1 to 80",
        "demo --pg-version 14        | --pg-version   | \"14\"     | from 15 to 18",
        "demo --seed x               | --seed         | \"x\"      | a whole number",
        "demo --consistency sesion   | --consistency  | \"sesion\" | \"session\" or \"eventual\"",
        "demo postgres --lga 5       | --lga          | --lag      | --think",
        "demo --json /no/such/f.json | --json         | /no/such   | a folder that exists",
        "demo shards --store mysql   | --store        | \"mysql\"  | \"postgres\" or \"sqlite\"",
        "demo queue --store mysql    | --store        | \"mysql\"  | \"postgres\" or \"sqlite\"",
        "demo foo                    | foo            | foo        | unexpected",
        "dmeo                        | dmeo           | dmeo       | demo, probe, explain",
        "probe --timeout 0s u        | URL 1          | scheme     | jdbc:postgresql:",
        "explain --max-lag 5 jdbc:postgresql://h/d        | --max-lag   | \"5\"    | 5s",
        "explain --operation raed jdbc:postgresql://h/d   | --operation | \"raed\" | did you mean"
            + " read",
        "explain --select best jdbc:postgresql://h/d      | --select    | \"best\" | roundRobin",
        "explain --fallback none jdbc:postgresql://h/d    | --fallback  | \"none\" | error",
        "probe --timeout 0s jdbc:postgresql://h/d         | --timeout   | \"0s\"   | 1ms",
        "probe --timeout 3 jdbc:postgresql://h/d          | --timeout   | \"3\"    | such as 2s",
      })
  void wrongUseNamesTheOptionTheValueAndWhatIsAccepted(
      String line, String option, String value, String accepted) {
    CommandRun run = CommandRun.of(line.split(" +"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(option, value, accepted, "--help");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "probe", "explain", "demo postgres --seconds", "probe --json", "topology"})
  void whatIsMissingIsWrongUse(String line) {
    CommandRun run = CommandRun.of(line.isEmpty() ? new String[0] : line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).containsIgnoringCase("missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "demo --help",
        "demo postgres --help",
        "probe -h",
        "explain -h",
        "bench -h",
        "demo shards -h",
        "demo queue -h",
        "topology -h",
        "topology list -h",
        "topology show -h",
        "topology watch -h",
        "topology set -h",
        "topology drain -h",
        "topology remove -h",
        "topology delete -h",
        "topology take-over -h",
        "topology raise-epoch -h"
      })
  void helpHasAnExampleAndFitsTheTerminal(String line) {
    CommandRun run = CommandRun.of(line.split(" "));

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Example", "waymark ");
    assertThat(run.out().lines()).allMatch(each -> each.length() <= DemoFrame.COLUMNS);
  }

  @Test
  void versionNamesTheProduct() {
    assertThat(CommandRun.of("--version").out()).startsWith("waymark ");
  }

  @Test
  void theBenchIsElsewhereAndTheHelpSaysWhere() {
    CommandRun run = CommandRun.of("bench", "--seconds", "3");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("./waymark bench");
    assertThat(CommandRun.of("--help").out()).contains("bench");
  }

  @Test
  void demoAloneIsTheDemoOfPostgres() {
    assertThat(Waymark.complete("demo")).containsExactly("demo", "postgres");
    assertThat(Waymark.complete("demo", "--seed", "1"))
        .containsExactly("demo", "postgres", "--seed", "1");
    assertThat(Waymark.complete("demo", "postgres", "--seed", "1"))
        .containsExactly("demo", "postgres", "--seed", "1");
    assertThat(Waymark.complete("demo", "--help")).containsExactly("demo", "--help");
    assertThat(Waymark.complete("probe", "demo")).containsExactly("probe", "demo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "probe jdbc:postgresql://app:hunter2@h/d",
        "probe jdbc:postgresql://h:x/d?password=hunter2",
        "probe postgres://app:hunter2@h/d",
        "probe h?password=hunter2",
        "probe --pasword hunter2 jdbc:postgresql://h/d",
        "probe --pasword=hunter2 jdbc:postgresql://h/d",
        "probe --password hunter2 --password hunter2 jdbc:postgresql://h/d",
        "probe --timeout jdbc:postgresql://h/d?password=hunter2 jdbc:postgresql://h/d",
        "explain --select jdbc:postgresql://h/d?password=hunter2 jdbc:postgresql://h/d",
        "demo --seed jdbc:postgresql://h/d?password=hunter2",
        "demo jdbc:postgresql://h/d?password=hunter2",
        "jdbc:postgresql://h/d?password=hunter2",
        "topology list --databas jdbc:postgresql://h/d?password=hunter2",
        "topology list --database postgres://app:hunter2@h/d",
        "topology list --store redis//app:hunter2@h",
        "topology set acme --value hunter2",
      })
  void wrongUseShowsNoCredentials(String line) {
    CommandRun run = CommandRun.of(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.all()).doesNotContain("hunter2");
  }

  @Test
  void aPasswordMayStartWithAnAt(@TempDir Path folder) {
    CommandRun run =
        CommandRun.of(
            "probe", "--password", "@" + folder.resolve("none"), "jdbc:postgresql://127.0.0.1:1/d");

    assertThat(run.status()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://h:1/d?password=x, jdbc:postgresql://h:1/d",
    "see jdbc:postgresql://u:x@h:1/d., see jdbc:postgresql://h:1/d.",
    "no URL here, no URL here",
    "'a jdbc:postgresql:d?x and jdbc:postgresql://h/e?y', a jdbc:postgresql:d and"
        + " jdbc:postgresql://h/e"
  })
  void urlsAreShownWithoutCredentials(String text, String shown) {
    assertThat(Urls.redacted(text)).isEqualTo(shown);
  }
}
