package io.waymark.cli;

import io.waymark.cli.simulation.BallsIntoBins;
import io.waymark.cli.simulation.Check;
import io.waymark.cli.simulation.FailingMembers;
import io.waymark.cli.simulation.Findings;
import io.waymark.cli.simulation.HotShard;
import io.waymark.cli.simulation.JoiningMember;
import io.waymark.cli.simulation.Scenario;
import io.waymark.cli.simulation.SimulationSettings;
import io.waymark.cli.simulation.SlowMembers;
import io.waymark.cli.simulation.SmallCases;
import io.waymark.cli.simulation.StaleBoards;
import io.waymark.cli.simulation.SubsetChurn;
import io.waymark.cli.simulation.Supermarket;
import io.waymark.core.OptionText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of the simulations in JSON. The names are a contract with scripts. What was not run is
 * null.
 *
 * @param parameters what they were started with
 * @param held whether everything was as expected
 * @param checks every number beside what was expected
 * @param ballsIntoBins for each number of members
 * @param supermarket by load
 * @param staleBoard by the time between two boards
 * @param sinkholeShare which part of the calls the default policy sent to members that fail
 * @param slowMembers see {@link SlowMembers.Found}
 * @param joiningShare calls of a joining member as a part of each other's, by percent of slow start
 * @param subsetChurn the most members that one change of the membership gave to one caller
 * @param widthOverTime how many numbered shards were used, every 15 seconds
 * @param smallCases see {@link SmallCases.Found}
 */
record RoutingReport(
    Parameters parameters,
    boolean held,
    List<Checked> checks,
    @Nullable List<BallsIntoBins.Size> ballsIntoBins,
    @Nullable Map<String, Supermarket.Mean> supermarket,
    @Nullable Map<String, StaleBoards.Means> staleBoard,
    @Nullable Double sinkholeShare,
    SlowMembers.@Nullable Found slowMembers,
    @Nullable Map<String, Double> joiningShare,
    @Nullable Integer subsetChurn,
    @Nullable List<HotShard.Width> widthOverTime,
    SmallCases.@Nullable Found smallCases) {

  /** What can be repeated. */
  record Parameters(long seed, boolean quick, List<String> scenarios) {}

  /** One number. */
  record Checked(String scenario, String what, double measured, String expected, String verdict) {}

  static RoutingReport of(SimulationSettings settings, Map<Scenario, Findings> findings) {
    Builder found = new Builder();
    findings.values().forEach(found::add);
    List<Checked> checks = new ArrayList<>();
    findings.forEach(
        (scenario, each) -> each.checks().forEach(check -> checks.add(checked(scenario, check))));
    return new RoutingReport(
        new Parameters(
            settings.seed(),
            settings.quick(),
            settings.scenarios().stream().map(OptionText::word).toList()),
        checks.stream().noneMatch(each -> each.verdict.equals("missed")),
        checks,
        found.ballsIntoBins,
        found.supermarket,
        found.staleBoard,
        found.sinkholeShare,
        found.slowMembers,
        found.joiningShare,
        found.subsetChurn,
        found.widthOverTime,
        found.smallCases);
  }

  private static Checked checked(Scenario scenario, Check check) {
    return new Checked(
        OptionText.word(scenario),
        check.what().strip(),
        check.measured(),
        check.expected(),
        OptionText.word(check.verdict()));
  }

  /** Takes findings of any scenario. */
  private static final class Builder {
    private @Nullable List<BallsIntoBins.Size> ballsIntoBins;
    private @Nullable Map<String, Supermarket.Mean> supermarket;
    private @Nullable Map<String, StaleBoards.Means> staleBoard;
    private @Nullable Double sinkholeShare;
    private SlowMembers.@Nullable Found slowMembers;
    private @Nullable Map<String, Double> joiningShare;
    private @Nullable Integer subsetChurn;
    private @Nullable List<HotShard.Width> widthOverTime;
    private SmallCases.@Nullable Found smallCases;

    void add(Findings findings) {
      if (findings instanceof BallsIntoBins.Found found) {
        ballsIntoBins = found.sizes();
      } else if (findings instanceof Supermarket.Found found) {
        supermarket = found.byLoad();
      } else if (findings instanceof StaleBoards.Found found) {
        staleBoard = found.byAge();
      } else if (findings instanceof FailingMembers.Found found) {
        sinkholeShare = found.improved();
      } else if (findings instanceof SlowMembers.Found found) {
        slowMembers = found;
      } else if (findings instanceof JoiningMember.Found found) {
        joiningShare = found.byPercent();
      } else if (findings instanceof SubsetChurn.Found found) {
        subsetChurn = found.most();
      } else if (findings instanceof HotShard.Found found) {
        widthOverTime = found.widths();
      } else if (findings instanceof SmallCases.Found found) {
        smallCases = found;
      }
    }
  }
}
