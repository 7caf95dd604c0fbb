package io.waymark.cli.shards;

import com.zaxxer.hikari.HikariDataSource;
import io.waymark.cli.processes.DemoDatabase;
import io.waymark.cli.processes.Wire;
import io.waymark.coordinator.CoordinatorEvent;
import io.waymark.coordinator.CoordinatorException;
import io.waymark.coordinator.GroupDraft;
import io.waymark.coordinator.StateChannel;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.core.Backoff;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.OutboxEvent;
import io.waymark.publish.postgres.PostgresPublisher;
import io.waymark.topology.DirectorySnapshots;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.SnapshotPublisher;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** A coordinator: changes the group as it is ordered to, publishes it, and delivers the limits. */
final class CoordinatorWorker {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  /** More orders than that are not under way at once. */
  private static final int THREADS = 4;

  private final Place place;
  private final PrintStream out;
  private final StateChannel<Limits> channel;

  private CoordinatorWorker(Place place, PrintStream out) {
    this.place = place;
    this.out = out;
    this.channel =
        StateChannel.of("limits", Limits.class)
            .members(MemberRole.READ)
            .attemptTimeout(Place.ATTEMPT)
            .backoff(BACKOFF)
            .deliver((member, update) -> MemberSocket.deliver(member, update));
  }

  static void work(Place place, PrintStream out) throws IOException {
    new CoordinatorWorker(place, out).work();
  }

  private void work() throws IOException {
    if (!place.isPostgres()) {
      work(
          DurableStore.sqlite(place.database()).open(),
          DirectorySnapshots.in(place.published()).publisher());
      return;
    }
    try (HikariDataSource source = DemoDatabase.open(place.url(), THREADS + 6)) {
      work(
          DurableStore.postgres(source).listen(place.url(), DemoDatabase.properties()).open(),
          PostgresPublisher.of(source));
    }
  }

  private void work(DurableStore opened, SnapshotPublisher publisher) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (DurableStore store = opened;
        TopologyCoordinator topology =
            TopologyCoordinator.builder(store)
                .publisher(publisher)
                .state(channel)
                .attemptTimeout(Place.ATTEMPT)
                .publishWait(Duration.ZERO)
                .backoff(BACKOFF)
                .onEvent(this::happened)
                .build()) {
      Wire.say(out, Said.class, new Said.Ready());
      Wire.orders(Order.class, order -> threads.execute(() -> obey(topology, order)));
      threads.shutdownNow();
    }
  }

  private void happened(CoordinatorEvent event) {
    if (event instanceof CoordinatorEvent.Attempted attempted
        && attempted.attempt().kind() == OutboxEvent.Kind.DELIVERED
        && attempted.attempt().channel().equals("waymark.topology")) {
      Wire.say(out, Said.class, new Said.Published());
    }
  }

  private void obey(TopologyCoordinator topology, Order order) {
    try {
      Wire.say(
          out,
          Said.class,
          order.what() == Order.Kind.TELL ? tell(topology, order) : change(topology, order));
    } catch (CoordinatorException | DurableStoreException e) {
      Wire.say(out, Said.class, new Said.Unknown(order.number(), String.valueOf(e.getMessage())));
    }
  }

  private Said tell(TopologyCoordinator topology, Order order) {
    GroupSnapshot group = topology.snapshot(Place.GROUP).orElse(null);
    return group == null
        ? new Said.Unknown(order.number(), "there is no group yet")
        : new Said.Acknowledged(
            order.number(),
            group.stamp().toString(),
            Beliefs.text(group),
            topology.state(Place.GROUP, channel).orElse(Limits.NONE));
  }

  private Said change(TopologyCoordinator topology, Order order) {
    AtomicReference<GroupDraft> made = new AtomicReference<>();
    var result =
        topology.update(
            Place.GROUP,
            now -> {
              GroupDraft next = next(now, order);
              made.set(next);
              return next;
            });
    GroupDraft draft = made.get();
    return new Said.Acknowledged(
        order.number(),
        result.stamp().toString(),
        Beliefs.text(new GroupSnapshot(Place.GROUP, result.stamp(), draft.members())),
        draft.state(channel).orElse(Limits.NONE));
  }

  /** With the number of the order in the limits, whatever else it changes. */
  private GroupDraft next(GroupDraft now, Order order) {
    Limits limits = now.state(channel).orElse(Limits.NONE);
    GroupDraft numbered =
        now.set(
            channel,
            limits.after(
                order.number(), order.what() == Order.Kind.LIMIT ? order.rate() : limits.rate()));
    if (!now.exists()) {
      return all(numbered);
    }
    GroupSnapshot group = GroupSnapshot.local(now.group(), now.members());
    boolean there = now.member(order.member()).isPresent();
    return switch (order.what()) {
      case CHANGE, DRAIN, REMOVE ->
          !there
              ? numbered
              : order.isLast(group)
                  ? changed(numbered, order)
                  : switch (order.what()) {
                    case DRAIN -> timed(numbered.drain(order.member()));
                    case REMOVE -> timed(numbered.remove(order.member()));
                    default -> changed(numbered, order);
                  };
      case ACTIVATE ->
          timed(there ? numbered.activate(order.member()) : numbered.add(member(order.member())));
      case SETTLE -> all(numbered);
      case LIMIT, TELL -> numbered;
    };
  }

  private GroupDraft changed(GroupDraft draft, Order order) {
    Member member = draft.member(order.member()).orElseThrow();
    return timed(draft.put(member.with(Member.WEIGHT, String.valueOf(1 + order.number() % 9))));
  }

  private GroupDraft all(GroupDraft draft) {
    return timed(draft.members(Place.MEMBERS.stream().map(this::member).toList()));
  }

  private Member member(String id) {
    return Member.active(id).with(Member.ENDPOINT, place.socket(id).toString());
  }

  /** With the time of the change, so that readers can tell how long it took to them. */
  private static GroupDraft timed(GroupDraft draft) {
    Member first = draft.members().get(0);
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    return draft.put(first.with(Beliefs.CHANGED_AT, String.valueOf(micros)));
  }
}
