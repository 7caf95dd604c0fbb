package io.waymark.durable;

import io.waymark.core.RoutingLoad;
import io.waymark.durable.FanoutDelivery.Outcome;
import io.waymark.durable.FanoutEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Delivers to one target of a fan-out, a batch at a time. Thread safe. */
final class TargetDelivery<T> implements DeliveryQueue<FanoutClaim> {
  /** A change with what to tell of it. */
  private record Told(RowChange change, Kind kind, @Nullable String error) {}

  private final DurableStore store;
  private final FanoutTable table;
  private final long target;
  private final String name;
  private final FanoutHandler<T> handler;
  private final TargetOptions options;
  private final Function<String, T> decoder;
  private final boolean deadLetters;
  private final RoutingLoad load;
  private final FanoutObserver observer;
  private final DeliveryEngine<FanoutClaim> engine;

  TargetDelivery(
      FanoutParts<T> parts,
      long target,
      String name,
      FanoutHandler<T> handler,
      TargetOptions options) {
    this.store = parts.host().store();
    this.table = parts.table();
    this.target = target;
    this.name = name;
    this.handler = handler;
    this.options = options;
    this.decoder = parts.decoder();
    this.deadLetters = parts.deadLetters() != null;
    this.load = parts.load();
    this.observer = parts.observer();
    this.engine =
        new DeliveryEngine<>(
            parts.name() + "/" + name,
            parts.host(),
            this,
            options.concurrency(),
            options.attemptTimeout());
  }

  DeliveryEngine<FanoutClaim> engine() {
    return engine;
  }

  @Override
  public Optional<Duration> untilDue() {
    return table.untilDue(target, false);
  }

  @Override
  public Optional<FanoutClaim> claim(long token, Duration lease) {
    return table.claim(target, options.batchSize(), token, lease);
  }

  @Override
  public @Nullable DeliveryCall prepare(FanoutClaim claim, long asked) {
    BatchCall call = new BatchCall(claim, asked);
    List<Told> atOnce = new ArrayList<>();
    for (FanoutRow row : claim.rows()) {
      if (row.attempt() > options.attempts()) { // it died in the last attempt
        String error = row.lastError() == null ? "the last attempt never ended" : row.lastError();
        atOnce.add(exhausted(withAttempt(row, options.attempts()), error));
      } else {
        try {
          call.add(row, decoder.apply(row.body()));
        } catch (RuntimeException | StackOverflowError e) {
          atOnce.add(failed(row, Kind.UNDECODABLE, Failures.said(e), null));
        }
      }
    }
    settle(claim.token(), asked, atOnce, Duration.ZERO);
    return call.deliveries.isEmpty() ? null : call;
  }

  private static FanoutRow withAttempt(FanoutRow row, int attempt) {
    return new FanoutRow(
        row.seq(),
        row.message(),
        attempt,
        row.messageId(),
        row.generation(),
        row.body(),
        row.acceptedMicros(),
        row.age(),
        row.lastError(),
        row.dead());
  }

  @Override
  public void giveBack(FanoutClaim claim, long asked) {
    List<RowChange> changes = claim.rows().stream().map(RowChange::giveBack).toList();
    engine.settle(asked, () -> settled(table.settle(target, claim.token(), changes)));
  }

  // ---- one attempt -----------------------------------------------------------------------------

  /** One call of the handler with what is left of a claim. */
  private final class BatchCall implements DeliveryCall, FanoutDelivery.Settler {
    private final FanoutClaim claim;
    private final long asked;
    private final List<FanoutDelivery<T>> deliveries = new ArrayList<>();
    private long began;
    private RoutingLoad.@Nullable Sample sample;

    BatchCall(FanoutClaim claim, long asked) {
      this.claim = claim;
      this.asked = asked;
    }

    void add(FanoutRow row, T body) {
      deliveries.add(new FanoutDelivery<>(row, name, body, decoder, this));
    }

    @Override
    public void run(BooleanSupplier abandoned) throws Exception {
      handler.deliver(new FanoutBatch<>(name, deliveries, abandoned));
    }

    @Override
    public void begin() {
      began = store.ticker().getAsLong();
      sample = load.outbound();
      deliveries.forEach(
          each -> observer.tell(Kind.STARTED, name, each.row(), Duration.ZERO, null, null));
    }

    @Override
    public void ended(@Nullable Throwable failure, Duration took) {
      if (failure == null && options.isAckOnReturn()) {
        settleRest(Outcome.RETURNED, Kind.DELIVERED, null, took);
      } else {
        String why =
            failure == null
                ? "the callback returned without settling the message"
                : Failures.said(failure);
        settleRest(Outcome.FAILED, Kind.FAILED, why, took);
      }
      counted();
    }

    @Override
    public void overdue() {
      Duration limit = options.attemptTimeout();
      counted();
      settleRest(Outcome.TIMED_OUT, Kind.TIMED_OUT, "the attempt took longer than " + limit, limit);
    }

    /** The attempt is over, as far as the load goes. */
    private void counted() {
      RoutingLoad.Sample counting = sample;
      if (counting != null) {
        counting.close();
      }
    }

    @Override
    public void late(@Nullable Throwable failure, Duration took) {
      String error = failure == null ? null : Failures.said(failure);
      deliveries.forEach(each -> observer.tell(Kind.LATE, name, each.row(), took, error, null));
    }

    /** What nobody has settled until now is settled here. */
    private void settleRest(Outcome outcome, Kind kind, @Nullable String why, Duration took) {
      List<Told> rest = new ArrayList<>();
      for (FanoutDelivery<T> delivery : deliveries) {
        if (delivery.bind(outcome)) {
          rest.add(
              why == null
                  ? new Told(RowChange.remove(delivery.row()), kind, null)
                  : failed(delivery.row(), kind, why, null));
        }
      }
      TargetDelivery.this.settle(claim.token(), asked, rest, took);
    }

    @Override
    public boolean settle(
        FanoutRow row, Outcome outcome, @Nullable Duration wait, @Nullable String why) {
      Told told =
          switch (outcome) {
            case RETRIED -> failed(row, Kind.RETRIED, null, wait);
            case DEAD_LETTERED -> deadLettered(row, why);
            default -> new Told(RowChange.remove(row), Kind.DELIVERED, null);
          };
      Duration took = Duration.ofNanos(Math.max(0, store.ticker().getAsLong() - began));
      return TargetDelivery.this.settle(claim.token(), asked, List.of(told), took);
    }
  }

  // ---- changes --------------------------------------------------------------------------------

  private Told failed(FanoutRow row, Kind kind, @Nullable String why, @Nullable Duration wait) {
    if (engine.isClosing() && kind == Kind.FAILED) { // interrupted: as if it had not been begun
      return new Told(RowChange.giveBack(row), kind, why);
    }
    if (row.attempt() >= options.attempts()) {
      return exhausted(row, why == null ? row.lastError() : why);
    }
    // A wait for each message: what failed together because of one is tried apart from it.
    Duration pause = wait == null ? store.delay(options.backoff(), row.attempt()) : wait;
    return new Told(RowChange.again(row, pause, why), kind, why);
  }

  private Told exhausted(FanoutRow row, @Nullable String why) {
    return new Told(dead(row, StoredMessage.Reason.EXHAUSTED, why), Kind.EXHAUSTED, why);
  }

  private Told deadLettered(FanoutRow row, @Nullable String why) {
    return new Told(dead(row, StoredMessage.Reason.EXPLICIT, why), Kind.DEAD_LETTERED, why);
  }

  private RowChange dead(FanoutRow row, StoredMessage.Reason reason, @Nullable String why) {
    return deadLetters ? RowChange.dead(row, reason, why) : RowChange.remove(row);
  }

  /** Whether all claims were still ours, as far as that is known. */
  private boolean settle(long token, long asked, List<Told> told, Duration took) {
    if (told.isEmpty()) {
      return true;
    }
    List<RowChange> changes = told.stream().map(Told::change).toList();
    AtomicReference<Set<Long>> lost = new AtomicReference<>(Set.of());
    engine.settle(
        asked,
        () -> {
          lost.set(table.settle(target, token, changes));
          return settled(lost.get());
        });
    Set<Long> gone = lost.get();
    for (Told each : told) {
      tell(each, gone.contains(each.change().row().seq()), took);
    }
    return gone.isEmpty();
  }

  private static Settled settled(Set<Long> lost) {
    return lost.isEmpty() ? Settled.DONE : Settled.LOST;
  }

  private void tell(Told told, boolean lost, Duration took) {
    RowChange change = told.change();
    boolean again = change.what() == RowChange.What.AGAIN;
    if (lost) {
      observer.tell(Kind.CLAIM_LOST, name, change.row(), took, null, null);
      return;
    }
    if (again || change.what() == RowChange.What.DEAD) {
      store.scheduler().within(change.pause().toNanos());
    }
    observer.tell(
        told.kind(), name, change.row(), took, told.error(), again ? change.pause() : null);
  }
}
