package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.bench.Median;
import io.waymark.bench.peers.Bar;
import io.waymark.bench.peers.Contender;
import io.waymark.bench.peers.Plan;
import io.waymark.bench.peers.Result;
import io.waymark.bench.peers.Scenario;
import io.waymark.bench.peers.Standings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bench command as it is used, without a run. */
class BenchCommandTest {
  private static final int COLUMNS = 100;

  /** A command that was run in this JVM. */
  private record Run(int status, String out, String err) {}

  private static Run run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        WaymarkWithBench.run(
            new PrintWriter(out, true), new PrintWriter(err, true), line.split(" "));
    return new Run(status, out.toString(), err.toString());
  }

  /** As wide as it gets. */
  private static Standings standings() {
    Map<Scenario, Result> results = new EnumMap<>(Scenario.class);
    for (Scenario scenario : Scenario.timed()) {
      results.put(
          scenario, new Result.Timed(scenario, new Median(10.25, 11.25, 12.25), 1234.5, 100_000));
    }
    results.put(Scenario.OWN_WRITES, new Result.OwnWrites(1200, 1200, 0));
    for (Scenario scenario : Scenario.outages()) {
      results.put(scenario, new Result.Outage(scenario, 2000, 1990, 10, 30_000, 2000, "reset"));
    }
    Map<Contender, Map<Scenario, Result>> all = new EnumMap<>(Contender.class);
    for (Contender contender : Contender.values()) {
      all.put(contender, results);
    }
    return new Standings("18.6", all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bench --seconds 0           | --seconds | 0          | from 1 to 600",
        "bench --rounds 101          | --rounds  | \"101\"    | from 1 to 100",
        "bench --peer sprng          | --peer    | \"sprng\"  | \"spring\", \"spring-hosts\"",
        "bench --json /no/such/f     | --json    | /no/such   | a folder that exists",
        "bench --chart /no/such/f    | --chart   | /no/such   | a folder that exists",
        "bench --disk /no/such       | --disk    | /no/such   | a folder that exists",
        "bench --chart -             | --chart   | \"-\"      | other than stdout",
        "bench --secs 5              | --secs    | --seconds  | --rounds",
        "bench routing --seconds 0   | --seconds | 0          | from 1 to 600",
        "bench routing --contender x | --contender | \"x\"    | \"finagle-p2c\"",
      })
  void wrongUseNamesTheOptionTheValueAndWhatIsAccepted(
      String line, String option, String value, String accepted) {
    Run run = run(line);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(option, value, accepted, "--help");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--help", "bench --help", "bench topology --help", "bench routing --help"})
  void helpHasAnExampleAndFitsTheTerminal(String line) {
    Run run = run(line);

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Example", "waymark bench");
    assertThat(run.out().lines()).allMatch(each -> each.length() <= COLUMNS);
  }

  @Test
  void everyPeerIsInTheHelp() {
    assertThat(run("bench --help").out())
        .contains(Contender.peers().stream().map(Contender::word).toList());
  }

  @Test
  void theTablesFitTheTerminal() {
    List<String> lines = new ArrayList<>(BenchTables.lines(standings()));
    lines.addAll(BenchTables.lines(Bar.of(standings())));

    assertThat(lines).allMatch(each -> each.length() <= COLUMNS);
    assertThat(lines)
        .anyMatch(each -> each.matches("waymark +11.25 \\(10.25 .. 12.25\\).*"))
        .anyMatch(each -> each.matches("waymark +1200 of 1200 +2000 of 2000, > 30.0 s, 100.0 %.*"));
  }

  @Test
  void whatIsNotThereYetIsLeftOpen() {
    Standings standings =
        new Standings("?", Map.of(Contender.WAYMARK, Map.of(Scenario.WRITE, broken())));

    assertThat(BenchTables.lines(standings))
        .anyMatch(each -> each.matches("waymark +\\.\\.\\. +\\.\\.\\. +no result"));
  }

  private static Result broken() {
    return new Result.Broken(Scenario.WRITE, "its JVM ended");
  }

  @Test
  void theReportHasTheNamesThatScriptsRead() throws Exception {
    Plan plan =
        new Plan(1, Duration.ofSeconds(5), 1, Duration.ZERO, Duration.ZERO, Optional.empty());
    StringWriter json = new StringWriter();

    JsonFile.of("-")
        .write(
            BenchReport.of(plan, 3, standings(), Bar.of(standings())), new PrintWriter(json, true));

    assertThat(json.toString().replaceAll("\\s+", ""))
        .startsWith("{\"held\":false,\"parameters\":{\"rounds\":3,\"seconds\":5,")
        .contains("{\"scenario\":\"READ\",\"held\":true,\"words\":")
        .contains(
            "\"spring-hosts\":{\"READ\":{\"kind\":\"timed\",\"scenario\":\"READ\","
                + "\"ratio\":{\"low\":10.25,\"middle\":11.25,\"high\":12.25},")
        .contains(
            "\"KILLED\":{\"kind\":\"outage\",\"scenario\":\"KILLED\",\"reads\":2000,"
                + "\"failed\":1990,\"hung\":10,\"slowestMillis\":30000.0,\"overASecond\":2000,");
  }
}
