package io.waymark.coordinator;

import static org.awaitility.Awaitility.await;

import io.waymark.durable.DurableStore;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** A coordinator over a new database, its store of snapshots, and members that are told a state. */
abstract class CoordinatorFixture {
  final TestDatabase database = newDatabase();
  final MemorySnapshots snapshots = new MemorySnapshots();
  final SnapshotReader reader = snapshots.reader();
  final Shards shards = new Shards();
  final List<CoordinatorEvent> events = new CopyOnWriteArrayList<>();
  final StateChannel<Limits> limits =
      StateChannel.of("limits", Limits.class).backoff(Fast.BACKOFF).deliver(shards);

  /** Where the present coordinator publishes. */
  ControlledPublisher publisher = new ControlledPublisher(snapshots.publisher());

  DurableStore store = database.store().open();
  TopologyCoordinator topology = afterItsFirstSweep(builder());

  abstract TestDatabase newDatabase();

  TopologyCoordinatorBuilder builder() {
    publisher = new ControlledPublisher(snapshots.publisher());
    return TopologyCoordinator.builder(store)
        .publisher(publisher)
        .backoff(Fast.BACKOFF)
        .onEvent(events::add)
        .state(limits);
  }

  /** Replaces the coordinator by another on the same database, as after the process has ended. */
  void restart(TopologyCoordinatorBuilder builder) {
    topology = afterItsFirstSweep(builder);
  }

  /** Without that, the sweep may publish once more what a test has just changed. */
  private static TopologyCoordinator afterItsFirstSweep(TopologyCoordinatorBuilder builder) {
    CountDownLatch swept = new CountDownLatch(1);
    Consumer<? super CoordinatorEvent> listener = builder.listener;
    TopologyCoordinator coordinator =
        builder
            .onEvent(
                event -> {
                  listener.accept(event);
                  if (event instanceof CoordinatorEvent.Swept) {
                    swept.countDown();
                  }
                })
            .build();
    if (builder.publisher != null && builder.publisher.canSweep()) {
      await().until(() -> swept.getCount() == 0);
    }
    return coordinator;
  }

  /** Ends coordinator and store, and opens the store again. */
  void reopen() {
    topology.close();
    store.close();
    store = database.store().open();
  }

  @AfterEach
  void end() {
    publisher.release();
    topology.close();
    store.close();
    database.close();
  }

  /** What readers find; empty for a group that was never published, or was forgotten. */
  Optional<Published> found(String group) {
    return reader
        .read(group)
        .toCompletableFuture()
        .join()
        .map(text -> SnapshotCodec.decode(group, text));
  }

  List<String> foundMembers(String group) {
    return found(group)
        .map(each -> ((GroupSnapshot) each).members().stream().map(Member::id).toList())
        .orElse(List.of());
  }

  void awaitQuiet() {
    await().until(() -> topology.backlog().isEmpty());
  }

  /** Three active members. */
  static GroupDraft three(GroupDraft draft) {
    String group = draft.group();
    return draft
        .add(Member.active(group + "-0"))
        .add(Member.active(group + "-1"))
        .add(Member.active(group + "-2"));
  }
}
