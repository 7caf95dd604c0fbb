package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.coordinator.GroupSummary;
import io.waymark.coordinator.StateChannel;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.coordinator.TopologyCoordinatorBuilder;
import io.waymark.core.OptionText;
import io.waymark.durable.DurableStore;
import io.waymark.topology.MemberRole;
import io.waymark.topology.SnapshotPublisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A coordinator over a database that is looked at and changed, beside the service that it belongs
 * to. Delivers nothing to members, and publishes only where it is given a publisher.
 */
final class OpenTopology implements AutoCloseable {
  private static final int PAGE = 10_000;

  private final DurableStore store;
  private final TopologyCoordinator coordinator;

  private OpenTopology(DurableStore store, TopologyCoordinator coordinator) {
    this.store = store;
    this.coordinator = coordinator;
  }

  /**
   * Opens it.
   *
   * @param states that are to be changed
   * @param publisher null to leave publishing to the service
   * @param wait how long a change waits for its publication
   */
  static OpenTopology open(
      CoordinatorDatabase database,
      List<StateChannel<JsonNode>> states,
      @Nullable SnapshotPublisher publisher,
      Duration wait)
      throws SQLException {
    DurableStore store = database.open();
    try {
      TopologyCoordinatorBuilder builder = TopologyCoordinator.builder(store).publishWait(wait);
      states.forEach(builder::state);
      return new OpenTopology(
          store,
          publisher == null
              ? builder.leavePublishing().build()
              : builder.publisher(publisher).build());
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /** To look, and to change members. */
  static OpenTopology open(CoordinatorDatabase database) throws SQLException {
    return open(database, List.of(), null, Duration.ZERO);
  }

  TopologyCoordinator coordinator() {
    return coordinator;
  }

  /** A state as JSON; whoever delivers it is elsewhere. */
  static StateChannel<JsonNode> state(String name, MemberRole role) {
    return StateChannel.of(name, JsonNode.class)
        .members(role)
        .deliver(
            (member, update) -> {
              throw new IllegalStateException("a tool delivers nothing");
            });
  }

  /** That there is no such group, with the name that was probably meant. */
  Refusal missing(String group) {
    List<String> names =
        coordinator.groups("", PAGE).stream()
            .filter(each -> !each.deleted())
            .map(GroupSummary::name)
            .toList();
    return new Refusal(
        "there is no group "
            + OptionText.quote(group)
            + " in the database"
            + OptionText.nearest(group, names)
                .map(near -> "; did you mean " + near + "?")
                .orElse("")
            + (names.isEmpty() ? "; there is none at all" : "")
            + ". See 'waymark topology list'.");
  }

  @Override
  public void close() {
    coordinator.close();
    store.close();
  }
}
