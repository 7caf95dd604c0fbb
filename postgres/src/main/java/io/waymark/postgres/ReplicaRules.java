package io.waymark.postgres;

import io.waymark.core.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The rules that a replica must pass to serve one read: position, lag, capacity. */
final class ReplicaRules {
  private static final String SEVERAL_SERVERS = "several servers";

  private final @Nullable MaxLag maxLag;
  private final long oldestPrimaryPosition;
  private final LongSupplier ticker;

  ReplicaRules(RoutingConfig routing, LongSupplier ticker) {
    this.maxLag = routing.maxLag();
    this.oldestPrimaryPosition = 2 * routing.probe().toNanos();
    this.ticker = ticker;
  }

  /** For a read that did not force a role: a full pool is passed over. */
  List<Rule<Node, Floor>> automatic() {
    return maxLag == null
        ? List.of(new Position(), new Capacity())
        : List.of(new Position(), new Lag(maxLag), new Capacity());
  }

  /** For a read that must go to a replica: it queues where it must. */
  List<Rule<Node, Floor>> forced() {
    return maxLag == null ? List.of(new Position()) : List.of(new Position(), new Lag(maxLag));
  }

  /** Whether this is the rule that a full pool does not pass. */
  static boolean isCapacity(Rule<Node, Floor> rule) {
    return rule instanceof Capacity;
  }

  /** Whether reads need what only a sighting of the very server can tell. */
  boolean needsEvidence(Floor floor) {
    return floor.token() != null || maxLag != null;
  }

  /** The replica has what the session wrote. */
  private static final class Position implements Rule<Node, Floor> {
    @Override
    public Answer ask(Node node, Floor floor) {
      Token token = floor.token();
      if (token == null) {
        return Answer.YES;
      }
      Sighting seen = node.sighting();
      if (seen == null
          || seen.server() == null
          || seen.replay() == Lsn.NONE
          || node.severalServers()) {
        return Answer.NO;
      }
      return floor.view().covers(seen, token) ? Answer.YES : Answer.UNSURE;
    }

    @Override
    public String explain(Node node, Floor floor) {
      if (node.severalServers()) {
        return SEVERAL_SERVERS;
      }
      Token token = floor.token();
      Sighting seen = node.sighting();
      if (token == null || seen == null || seen.server() == null || seen.replay() == Lsn.NONE) {
        return "position unknown";
      }
      return seen.timeline() == token.history().timeline()
          ? "behind " + bytes(Lsn.distance(token.lsn(), seen.replay()))
          : "on timeline " + seen.timeline() + ", not " + token.history().timeline();
    }

    @Override
    public long nearness(Node node, Floor floor) {
      return node.sighting() == null ? Long.MIN_VALUE : -node.sighting().missedBy();
    }
  }

  /** The replica is within the lag ceiling. */
  private final class Lag implements Rule<Node, Floor> {
    private final MaxLag ceiling;

    Lag(MaxLag ceiling) {
      this.ceiling = ceiling;
    }

    @Override
    public Answer ask(Node node, Floor floor) {
      if (node.severalServers()
          || floor.view().primaryPosition(oldestPrimaryPosition, ticker.getAsLong()) == Lsn.NONE) {
        return Answer.NO; // nothing that the replica could say helps
      }
      if (ceiling instanceof MaxLag.Bytes bytes) {
        long lag = lagBytes(node, floor.view());
        return answer(lag >= 0 && lag <= bytes.ceiling());
      }
      Duration lag = lagTime(node, floor.view());
      return answer(lag != null && lag.compareTo(((MaxLag.Time) ceiling).ceiling()) <= 0);
    }

    private Answer answer(boolean within) {
      return within ? Answer.YES : Answer.UNSURE;
    }

    @Override
    public String explain(Node node, Floor floor) {
      if (node.severalServers()) {
        return SEVERAL_SERVERS;
      }
      if (ceiling instanceof MaxLag.Bytes) {
        long lag = lagBytes(node, floor.view());
        return lag < 0 ? "lag unknown" : "lag " + bytes(lag);
      }
      Duration lag = lagTime(node, floor.view());
      return lag == null ? "lag unknown" : "lag " + seconds(lag);
    }

    @Override
    public long nearness(Node node, Floor floor) {
      return node.sighting() == null ? Long.MIN_VALUE : -node.sighting().missedBy();
    }
  }

  /** The replica's pool has room, or nobody queues for it yet. */
  private static final class Capacity implements Rule<Node, Floor> {
    @Override
    public Answer ask(Node node, Floor floor) {
      return node.endpoint().pool().isSaturated() ? Answer.NO : Answer.YES;
    }

    @Override
    public String explain(Node node, Floor floor) {
      return "saturated";
    }
  }

  /** How much log the replica has not replayed yet; -1 where either position is unknown. */
  long lagBytes(Node node, ReplicaSetView view) {
    Sighting seen = node.sighting();
    long primary = view.primaryPosition(oldestPrimaryPosition, ticker.getAsLong());
    return seen == null || seen.replay() == Lsn.NONE || primary == Lsn.NONE
        ? -1
        : Lsn.distance(primary, seen.replay());
  }

  /** How old the last replayed transaction is, 0 when caught up; null where unknown. */
  @Nullable Duration lagTime(Node node, ReplicaSetView view) {
    long bytes = lagBytes(node, view);
    if (bytes <= 0) {
      return bytes == 0 ? Duration.ZERO : null;
    }
    Sighting seen = node.sighting();
    Duration age = seen == null ? null : seen.replayAge();
    return age == null || !age.isNegative() ? age : Duration.ZERO;
  }

  static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int unit = Math.min((63 - Long.numberOfLeadingZeros(bytes)) / 10, 4);
    return String.format(
        Locale.ROOT, "%.1f %cB", (double) bytes / (1L << (10 * unit)), "KMGT".charAt(unit - 1));
  }

  static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toNanos() / 1e9);
  }
}
