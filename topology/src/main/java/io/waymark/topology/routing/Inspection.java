package io.waymark.topology.routing;

import io.waymark.core.Circuit;
import io.waymark.core.Operation;
import io.waymark.core.OptionText;
import io.waymark.core.RouteDecision;
import io.waymark.core.RouteDecision.PassedOver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says in words what a view and the cells in it say now. */
record Inspection(ShardView view, Standing standing, long now) {

  RouteDecision decision(@Nullable ShardCell likeliest) {
    List<PassedOver> passedOver = new ArrayList<>();
    Set<ShardCell> used = new HashSet<>(view.used());
    Set<ShardCell> ejected = new HashSet<>(view.ejected());
    for (ShardCell shard : view.all()) {
      if (shard != likeliest) {
        String why =
            !used.contains(shard)
                ? "outside of this process's subset"
                : ejected.contains(shard) ? leftOut(shard) : load(shard);
        passedOver.add(new PassedOver(shard.name(), why));
      }
    }
    return likeliest == null
        ? new RouteDecision(Operation.WRITE, null, RoutingError.NO_SHARD.code(), passedOver)
        : new RouteDecision(
            Operation.WRITE,
            likeliest.name(),
            RoutingReason.AUTO.text(likeliest.name()),
            passedOver);
  }

  private String leftOut(ShardCell shard) {
    String failures = "left out after " + shard.vitals().circuit().failures() + " failures";
    if (shard.isTried()) {
      return failures + ", being tried";
    }
    long wait = shard.trialAt() - now;
    return wait <= 0
        ? failures + ", to be tried by the next push"
        : failures + ", to be tried in " + OptionText.format(wholeMillis(wait));
  }

  private static Duration wholeMillis(long nanos) {
    return Duration.ofMillis(Math.max(1, nanos / 1_000_000));
  }

  private String load(ShardCell shard) {
    Circuit circuit = shard.vitals().circuit();
    StringBuilder words = new StringBuilder();
    words.append(shard.vitals().inFlight()).append(" in flight");
    @Nullable Observation seen = shard.observation();
    if (seen == null || now - seen.receivedAt() >= standing.windowNanos()) {
      words.append(", nothing heard of it");
    } else {
      words.append(", backlog ").append(seen.load().pendingDeliveries());
    }
    words.append(String.format(Locale.ROOT, ", cost %.2f", shard.expectedCost()));
    if (circuit.share() < 1) {
      words.append(String.format(Locale.ROOT, ", slow start at %.0f %%", 100 * circuit.share()));
    }
    return words.toString();
  }
}
