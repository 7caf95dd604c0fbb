package io.waymark.postgres;

import io.waymark.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener what has changed from one view to the next. All that it tells is in the views,
 * so the order and the absence of locks are the live view's.
 */
final class Changes implements BiConsumer<ReplicaSetView, ReplicaSetView> {
  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final Consumer<EndpointEvent> listener;

  Changes(Consumer<EndpointEvent> listener) {
    this.listener = listener;
  }

  @Override
  @SuppressWarnings("CatchThrowable") // the events after it are to be told, whatever was thrown
  public void accept(ReplicaSetView before, ReplicaSetView after) {
    for (EndpointEvent event : between(before, after)) {
      try {
        listener.accept(event);
      } catch (Throwable e) {
        LOG.warn("onChange threw; it is ignored", e);
      }
    }
  }

  /** What has changed, endpoint by endpoint, causes before what follows from them. */
  static List<EndpointEvent> between(ReplicaSetView before, ReplicaSetView after) {
    List<EndpointEvent> events = new ArrayList<>(0);
    for (int i = 0; i < after.nodes().size(); i++) {
      Node then = before.nodes().get(i);
      Node now = after.nodes().get(i);
      circuit(then, now, events);
      seen(then, now, events);
      asked(then, now, events);
    }
    String primary = after.primary().name();
    if (before.primaryOnly() != after.primaryOnly()) {
      events.add(new EndpointEvent.PrimaryOnlyChanged(primary, after.primaryOnly()));
    }
    Token lost = after.lost();
    if (lost != null && !lost.equals(before.lost())) {
      events.add(
          new EndpointEvent.HistoryLost(
              primary, lost.history().timeline(), Lsn.format(lost.lsn())));
    }
    eligibility(before, after, events);
    return events;
  }

  private static void circuit(Node then, Node now, List<EndpointEvent> events) {
    if (now.openBecause() != null && then.openBecause() == null) {
      events.add(new EndpointEvent.CircuitOpened(now.name(), now.openBecause()));
    } else if (now.openBecause() == null && then.openBecause() != null) {
      events.add(new EndpointEvent.CircuitClosed(now.name()));
    }
  }

  private static void seen(Node then, Node now, List<EndpointEvent> events) {
    Role before = role(then);
    Role after = role(now);
    if (before != after) {
      events.add(new EndpointEvent.RoleChanged(now.name(), before, after));
    }
    if (then.severalServers() != now.severalServers()) {
      events.add(new EndpointEvent.SeveralServersChanged(now.name(), now.severalServers()));
    }
    int from = timeline(then);
    int to = timeline(now);
    if (from != to && from != 0 && to != 0) {
      events.add(new EndpointEvent.TimelineChanged(now.name(), from, to));
    }
  }

  private static Role role(Node node) {
    boolean replica =
        node.sighting() == null ? !node.endpoint().isPrimary() : node.sighting().inRecovery();
    return replica ? Role.REPLICA : Role.PRIMARY;
  }

  private static int timeline(Node node) {
    return node.sighting() == null ? 0 : node.sighting().timeline();
  }

  private static void asked(Node then, Node now, List<EndpointEvent> events) {
    if (then.drained() != now.drained()) {
      events.add(
          now.drained()
              ? new EndpointEvent.Drained(now.name())
              : new EndpointEvent.Resumed(now.name()));
    }
    if (Double.compare(then.weight(), now.weight()) != 0) {
      events.add(new EndpointEvent.WeightChanged(now.name(), then.weight(), now.weight()));
    }
  }

  /** Looks at all of them: what one server is seen to be may speak for or against another. */
  private static void eligibility(
      ReplicaSetView before, ReplicaSetView after, List<EndpointEvent> events) {
    changed(after.primary(), before.withoutPrimary(), after.withoutPrimary(), events);
    for (int i = 0; i < after.replicas().size(); i++) {
      changed(
          after.replicas().get(i),
          before.ineligible(before.replicas().get(i)),
          after.ineligible(after.replicas().get(i)),
          events);
    }
  }

  private static void changed(
      Node node, @Nullable String then, @Nullable String now, List<EndpointEvent> events) {
    if (!Objects.equals(then, now)) {
      events.add(
          new EndpointEvent.EligibilityChanged(
              node.name(), Optional.ofNullable(then), Optional.ofNullable(now)));
    }
  }
}
