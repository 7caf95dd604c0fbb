package io.waymark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.bench.Median;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Waymark must hold, on given results. */
class BarTest {
  private static Result.Timed timed(Scenario scenario, double low, double middle, double high) {
    return new Result.Timed(scenario, new Median(low, middle, high), 40, 100);
  }

  private static Result.Outage outage(Scenario scenario, int failed, int hung, double slowest) {
    return new Result.Outage(scenario, 400, failed, hung, slowest, 0, "");
  }

  private static Standings standings(List<Result> ours, List<Result> theirs) {
    Map<Contender, Map<Scenario, List<Result>>> rounds = new EnumMap<>(Contender.class);
    rounds.put(Contender.WAYMARK, byScenario(ours));
    rounds.put(Contender.SPRING, byScenario(theirs));
    return Standings.of("18.6", rounds);
  }

  private static Map<Scenario, List<Result>> byScenario(List<Result> results) {
    Map<Scenario, List<Result>> map = new EnumMap<>(Scenario.class);
    results.forEach(each -> map.put(each.scenario(), List.of(each)));
    return map;
  }

  private static Bar bar(Result ours, Result theirs) {
    return Bar.of(standings(List.of(ours), List.of(theirs))).stream()
        .filter(each -> each.scenario() == ours.scenario())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"1.01, 1.03, true", "1.03, 1.04, true", "1.05, 1.06, false", "0.90, 0.95, true"})
  void aTimeIsHeldWhereItsIntervalReachesTheFastestPeers(double low, double middle, boolean held) {
    Bar bar = bar(timed(Scenario.READ, low, middle, 1.1), timed(Scenario.READ, 1.00, 1.02, 1.04));

    assertThat(bar.held()).isEqualTo(held);
    assertThat(bar.words()).contains("spring 1.02 (1.00 .. 1.04)");
  }

  @ParameterizedTest
  @CsvSource({"200, 0, 0, true", "200, 1, 0, false", "199, 0, 1, false", "0, 0, 0, false"})
  void ownWritesAreHeldOnlyWhereAllAreSeen(int reads, int stale, int failed, boolean held) {
    Bar bar = bar(new Result.OwnWrites(reads, stale, failed), new Result.OwnWrites(200, 200, 0));

    assertThat(bar.held()).isEqualTo(held);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 200,  1, 0, 10,    true",
    "0, 0, 200,  0, 0, 150,   true",
    "0, 0, 200,  0, 0, 50,    false",
    "1, 0, 200,  0, 0, 10000, false",
    "0, 1, 200,  0, 0, 10000, false",
    "1, 0, 200,  0, 1, 30000, true"
  })
  void anOutageIsHeldWhereNoPeerAnsweredMoreOrAsManyAndSooner(
      int failed, int hung, double slowest, int theirs, int theirsHung, double than, boolean held) {
    Bar bar =
        bar(
            outage(Scenario.KILLED, failed, hung, slowest),
            outage(Scenario.KILLED, theirs, theirsHung, than));

    assertThat(bar.held()).isEqualTo(held);
  }

  @Test
  void withoutAResultNothingIsHeld() {
    List<Bar> bars = Bar.of(standings(List.of(), List.of()));

    assertThat(bars).extracting(Bar::scenario).containsExactly(Scenario.values());
    assertThat(bars).noneMatch(Bar::held);
  }

  @Test
  void roundsComeTogetherByTheirMedianAndTheirOutermostEnds() {
    Result merged =
        Standings.merged(
            Scenario.WRITE,
            List.of(
                timed(Scenario.WRITE, 1.10, 1.12, 1.20),
                timed(Scenario.WRITE, 1.05, 1.30, 1.40),
                timed(Scenario.WRITE, 1.08, 1.11, 1.13)));

    assertThat(merged)
        .isEqualTo(new Result.Timed(Scenario.WRITE, new Median(1.05, 1.12, 1.40), 40, 300));
  }

  @Test
  void roundsOfAnOutageAddUpAndTheSlowestStays() {
    Result merged =
        Standings.merged(
            Scenario.SILENT,
            List.of(
                new Result.Outage(Scenario.SILENT, 400, 0, 0, 3500, 11, ""),
                new Result.Outage(Scenario.SILENT, 400, 2, 1, 3600, 12, "reset")));

    assertThat(merged).isEqualTo(new Result.Outage(Scenario.SILENT, 800, 2, 1, 3600, 23, "reset"));
  }

  @Test
  void aRoundWithoutAResultLeavesNone() {
    Result broken = new Result.Broken(Scenario.READ, "its JVM ended");

    assertThat(
            Standings.merged(Scenario.READ, Arrays.asList(timed(Scenario.READ, 1, 1, 1), broken)))
        .isEqualTo(broken);
  }
}
