package io.waymark.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Something that Waymark must hold against its peers.
 *
 * @param scenario where
 * @param held whether it did
 * @param words its figures, and those of who was best among the peers
 */
public record Bar(Scenario scenario, boolean held, String words) {
  /** By so much may the slowest read of one be later than another's and count as equal. */
  private static final double BUSY_MILLIS = 100;

  /** All bars: one for each scenario. */
  public static List<Bar> of(Standings standings) {
    List<Bar> bars = new ArrayList<>();
    for (Scenario scenario : Scenario.values()) {
      Result ours = standings.result(Contender.WAYMARK, scenario);
      if (ours instanceof Result.Timed timed) {
        bars.add(times(standings, timed));
      } else if (ours instanceof Result.OwnWrites ownWrites) {
        bars.add(ownWrites(ownWrites));
      } else if (ours instanceof Result.Outage outage) {
        bars.add(outage(standings, outage));
      } else if (ours instanceof Result.Broken broken) {
        bars.add(new Bar(scenario, false, "no result: " + broken.why()));
      }
    }
    return bars;
  }

  /** Not slower than the fastest peer, as far as the intervals can tell the two apart. */
  private static Bar times(Standings standings, Result.Timed ours) {
    return standings
        .fastestPeer(ours.scenario())
        .map(
            best ->
                new Bar(
                    ours.scenario(),
                    ours.ratio().low() <= best.result().ratio().high(),
                    text(ours)
                        + "; fastest: "
                        + best.contender().word()
                        + " "
                        + text(best.result())))
        .orElse(new Bar(ours.scenario(), true, text(ours) + "; no peer was timed"));
  }

  private static String text(Result.Timed result) {
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f .. %.2f)",
        result.ratio().middle(),
        result.ratio().low(),
        result.ratio().high());
  }

  private static Bar ownWrites(Result.OwnWrites ours) {
    return new Bar(
        Scenario.OWN_WRITES,
        ours.stale() == 0 && ours.failed() == 0 && ours.reads() > 0,
        ours.stale() + " of " + ours.reads() + " stale, " + ours.failed() + " failed");
  }

  /** No peer is ahead: fewer reads without an answer, or as many and a shorter slowest one. */
  private static Bar outage(Standings standings, Result.Outage ours) {
    List<String> ahead = new ArrayList<>();
    for (Contender peer : Contender.peers()) {
      if (standings.result(peer, ours.scenario()) instanceof Result.Outage theirs
          && isAhead(theirs, ours)) {
        ahead.add(peer.word());
      }
    }
    return new Bar(ours.scenario(), ahead.isEmpty(), text(ours) + "; " + words(ahead));
  }

  private static String words(List<String> ahead) {
    if (ahead.isEmpty()) {
      return "no peer is ahead";
    }
    int more = ahead.size() - 1;
    return "ahead: " + ahead.get(0) + (more == 0 ? "" : " and " + more + " more");
  }

  private static boolean isAhead(Result.Outage theirs, Result.Outage ours) {
    int fewer = unanswered(ours) - unanswered(theirs);
    return fewer > 0 || (fewer == 0 && theirs.slowestMillis() + BUSY_MILLIS < ours.slowestMillis());
  }

  private static int unanswered(Result.Outage outage) {
    return outage.failed() + outage.hung();
  }

  private static String text(Result.Outage outage) {
    return String.format(
        Locale.ROOT,
        "%d of %d unanswered, slowest %.0f ms",
        unanswered(outage),
        outage.reads(),
        outage.slowestMillis());
  }
}
