package io.waymark.coordinator;

import io.waymark.core.Backoff;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.StoreTime;
import io.waymark.topology.MemberRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A process with a coordinator, that can be ended, killed, paused, and started again. */
final class ModelProcess {
  static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(200);
  static final List<String> CHANNELS = List.of("limits", "flags");

  private static final int MOST_CONNECTIONS = 20;

  private final int number;
  private final ModelDatabase database;
  private final Shelf shelf;
  private final Mishaps mishaps;
  private final Receivers receivers;
  private final StoreTime time;
  private final Map<String, StateChannel<Integer>> channels = new TreeMap<>();
  private final List<UnreliablePublisher> publishers = new ArrayList<>();

  ProcessGate gate = new ProcessGate();
  DurableStore store;
  TopologyCoordinator topology;

  ModelProcess(
      int number,
      ModelDatabase database,
      Shelf shelf,
      Mishaps mishaps,
      Receivers receivers,
      StoreTime time) {
    this.number = number;
    this.database = database;
    this.shelf = shelf;
    this.mishaps = mishaps;
    this.receivers = receivers;
    this.time = time;
    this.store = database.open(number, gate, time);
    this.topology = coordinator();
  }

  int number() {
    return number;
  }

  private TopologyCoordinator coordinator() {
    channels.clear();
    for (String name : CHANNELS) {
      channels.put(
          name,
          StateChannel.of(name, Integer.class)
              .members(role(name))
              .attemptTimeout(ATTEMPT_TIMEOUT)
              .backoff(new Backoff(Duration.ofMillis(20), Duration.ofMillis(200)))
              .deliver(receivers.from(gate, mishaps, name)));
    }
    UnreliablePublisher publisher = new UnreliablePublisher(shelf.publisher(), gate, mishaps);
    publishers.add(publisher);
    TopologyCoordinatorBuilder builder =
        TopologyCoordinator.builder(store)
            .publisher(publisher)
            .attemptTimeout(ATTEMPT_TIMEOUT)
            .publishWait(Duration.ofMillis(60))
            .backoff(new Backoff(Duration.ofMillis(20), Duration.ofMillis(200)));
    channels.values().forEach(builder::state);
    return builder.build();
  }

  static MemberRole role(String channel) {
    return channel.equals("limits") ? MemberRole.WRITE : MemberRole.READ;
  }

  UpdateResult update(String group, GroupContent.Edit edit) {
    return topology.update(
        group,
        draft -> {
          GroupContent now = edit.change().apply(content(draft));
          GroupDraft next = draft.members(now.members());
          for (Map.Entry<String, Integer> value : now.values().entrySet()) {
            next = next.set(channel(value.getKey()), value.getValue());
          }
          return next;
        });
  }

  private StateChannel<Integer> channel(String name) {
    StateChannel<Integer> channel = channels.get(name);
    if (channel == null) {
      throw new AssertionError(name);
    }
    return channel;
  }

  private GroupContent content(GroupDraft draft) {
    GroupContent content = new GroupContent(draft.members(), new TreeMap<>());
    for (String name : CHANNELS) {
      Integer value = draft.state(channel(name)).orElse(null);
      if (value != null) {
        content = content.with(name, value);
      }
    }
    return content;
  }

  /** What the database has of a group; after a failover a pool may hold dead connections. */
  GroupContent read(String group) {
    for (int failures = 0; ; failures++) {
      try {
        return readOnce(group);
      } catch (DurableStoreException e) {
        if (failures == MOST_CONNECTIONS) {
          throw e;
        }
      }
    }
  }

  private GroupContent readOnce(String group) {
    GroupContent content =
        topology
            .snapshot(group)
            .map(each -> new GroupContent(each.members(), new TreeMap<>()))
            .orElse(GroupContent.NONE);
    for (String name : CHANNELS) {
      Integer value = topology.state(group, channel(name)).orElse(null);
      if (value != null) {
        content = content.with(name, value);
      }
    }
    return content;
  }

  /** Whether nothing of it writes to the store of snapshots, of any life. */
  boolean isWriting() {
    return publishers.stream().anyMatch(each -> each.running() > 0);
  }

  void stop() {
    topology.close();
    store.close();
  }

  void start() {
    gate = new ProcessGate();
    store = database.open(number, gate, time);
    topology = coordinator();
  }
}
