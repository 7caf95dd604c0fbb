package io.waymark.bench.peers;

import io.waymark.bench.Median;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * What all contenders came to over all rounds.
 *
 * @param server the version of PostgreSQL
 * @param results one for each scenario of each contender
 */
public record Standings(String server, Map<Contender, Map<Scenario, Result>> results) {

  /** Brings the rounds of every contender together. */
  static Standings of(String server, Map<Contender, Map<Scenario, List<Result>>> rounds) {
    Map<Contender, Map<Scenario, Result>> results = new EnumMap<>(Contender.class);
    rounds.forEach(
        (contender, ofContender) -> {
          Map<Scenario, Result> merged = new EnumMap<>(Scenario.class);
          ofContender.forEach((scenario, each) -> merged.put(scenario, merged(scenario, each)));
          results.put(contender, merged);
        });
    return new Standings(server, results);
  }

  /**
   * One result of several rounds. Of times it is the median round, and from the lowest to the
   * highest end of any round's interval: one JVM differs from the next by more than the pairs
   * within it. The rest is added up, and the slowest stays the slowest. A round without a result
   * leaves none.
   */
  static Result merged(Scenario scenario, List<Result> rounds) {
    Optional<Result> broken =
        rounds.stream().filter(each -> each instanceof Result.Broken).findFirst();
    if (broken.isPresent() || rounds.isEmpty()) {
      return broken.orElse(new Result.Broken(scenario, "it was not reached"));
    }
    if (scenario.operation().isPresent()) {
      return times(scenario, only(rounds, Result.Timed.class));
    }
    return scenario == Scenario.OWN_WRITES
        ? ownWrites(only(rounds, Result.OwnWrites.class))
        : outages(scenario, only(rounds, Result.Outage.class));
  }

  private static <R extends Result> List<R> only(List<Result> rounds, Class<R> kind) {
    return rounds.stream().map(kind::cast).toList();
  }

  private static Result times(Scenario scenario, List<Result.Timed> rounds) {
    Median ratio =
        new Median(
            rounds.stream().mapToDouble(each -> each.ratio().low()).min().orElseThrow(),
            middle(rounds, each -> each.ratio().middle()),
            rounds.stream().mapToDouble(each -> each.ratio().high()).max().orElseThrow());
    return new Result.Timed(
        scenario,
        ratio,
        middle(rounds, Result.Timed::controlMicros),
        sum(rounds, Result.Timed::pairs));
  }

  private static Result ownWrites(List<Result.OwnWrites> rounds) {
    return new Result.OwnWrites(
        sum(rounds, Result.OwnWrites::reads),
        sum(rounds, Result.OwnWrites::stale),
        sum(rounds, Result.OwnWrites::failed));
  }

  private static Result outages(Scenario scenario, List<Result.Outage> rounds) {
    return new Result.Outage(
        scenario,
        sum(rounds, Result.Outage::reads),
        sum(rounds, Result.Outage::failed),
        sum(rounds, Result.Outage::hung),
        rounds.stream().mapToDouble(Result.Outage::slowestMillis).max().orElseThrow(),
        sum(rounds, Result.Outage::overASecond),
        rounds.stream()
            .map(Result.Outage::failure)
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse(""));
  }

  private static <R> double middle(List<R> rounds, ToDoubleFunction<R> figure) {
    return Median.of(rounds.stream().mapToDouble(figure).toArray()).middle();
  }

  private static <R> int sum(List<R> rounds, ToIntFunction<R> figure) {
    return rounds.stream().mapToInt(figure).sum();
  }

  /** Whether there is a result yet. */
  public boolean has(Contender contender, Scenario scenario) {
    return results.getOrDefault(contender, Map.of()).containsKey(scenario);
  }

  /** What a contender came to in a scenario. */
  public Result result(Contender contender, Scenario scenario) {
    return results
        .getOrDefault(contender, Map.of())
        .getOrDefault(scenario, new Result.Broken(scenario, "it was not reached"));
  }

  /** What one call through HikariCP alone took, in the middle of all contenders' runs. */
  public double controlMicros(Scenario scenario) {
    double[] all =
        timed(scenario).map(each -> each.result().controlMicros()).mapToDouble(d -> d).toArray();
    return all.length == 0 ? Double.NaN : Median.of(all).middle();
  }

  /** The peer whose calls took least; empty if no peer was timed. */
  Optional<Ranked> fastestPeer(Scenario scenario) {
    return timed(scenario)
        .filter(each -> each.contender() != Contender.WAYMARK)
        .min(Comparator.comparingDouble(each -> each.result().ratio().middle()));
  }

  private Stream<Ranked> timed(Scenario scenario) {
    return results.keySet().stream()
        .filter(each -> result(each, scenario) instanceof Result.Timed)
        .map(each -> new Ranked(each, (Result.Timed) result(each, scenario)));
  }

  /**
   * Somebody's times.
   *
   * @param contender who
   * @param result what
   */
  record Ranked(Contender contender, Result.Timed result) {}
}
