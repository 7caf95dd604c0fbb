package io.waymark.durable;

import io.waymark.durable.FanoutEvent.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is meant for the dead letters of one target, a message at a time: it has been decided
 * and committed that they are not delivered any more, and they stay until the write has succeeded.
 * Thread safe.
 */
final class DeadLetterDelivery<T> implements DeliveryQueue<FanoutClaim> {
  private static final int CONCURRENCY = 4;

  /** How long one write may take, and how long to wait after it failed. */
  static final Duration LIMIT = Duration.ofMinutes(1);

  private final FanoutTable table;
  private final long target;
  private final String name;
  private final MessageStorage<T> storage;
  private final Function<String, T> decoder;
  private final Scheduler scheduler;
  private final FanoutObserver observer;
  private final DeliveryEngine<FanoutClaim> engine;

  DeadLetterDelivery(FanoutParts<T> parts, long target, String name, MessageStorage<T> storage) {
    this.table = parts.table();
    this.target = target;
    this.name = name;
    this.storage = storage;
    this.decoder = parts.decoder();
    this.scheduler = parts.host().store().scheduler();
    this.observer = parts.observer();
    this.engine =
        new DeliveryEngine<>(
            "dead letters of " + parts.name() + "/" + name, parts.host(), this, CONCURRENCY, LIMIT);
  }

  DeliveryEngine<FanoutClaim> engine() {
    return engine;
  }

  @Override
  public Optional<Duration> untilDue() {
    return table.untilDue(target, true);
  }

  @Override
  public Optional<FanoutClaim> claim(long token, Duration lease) {
    return table.claimDead(target, token, lease);
  }

  @Override
  public @Nullable DeliveryCall prepare(FanoutClaim claim, long asked) {
    return claim.rows().isEmpty() ? null : new Call(claim, claim.rows().get(0), asked);
  }

  @Override
  public void giveBack(FanoutClaim claim, long asked) {
    for (FanoutRow row : claim.rows()) {
      settle(claim, asked, RowChange.again(row, Duration.ZERO, null));
    }
  }

  private boolean settle(FanoutClaim claim, long asked, RowChange change) {
    AtomicReference<Set<Long>> lost = new AtomicReference<>(Set.of());
    engine.settle(
        asked,
        () -> {
          lost.set(table.settle(target, claim.token(), List.of(change)));
          return lost.get().isEmpty() ? Settled.DONE : Settled.LOST;
        });
    scheduler.within(change.pause().toNanos());
    return lost.get().isEmpty();
  }

  /** One write. */
  private final class Call implements DeliveryCall {
    private final FanoutClaim claim;
    private final FanoutRow row;
    private final long asked;

    Call(FanoutClaim claim, FanoutRow row, long asked) {
      this.claim = claim;
      this.row = row;
      this.asked = asked;
    }

    @Override
    public void run(BooleanSupplier abandoned) throws Exception {
      storage.store(new StoredMessage<>(row, name, decoder));
    }

    @Override
    public void ended(@Nullable Throwable failure, Duration took) {
      if (failure == null) {
        boolean ours = settle(claim, asked, RowChange.remove(row));
        observer.tell(
            ours ? Kind.DEAD_LETTER_STORED : Kind.CLAIM_LOST, name, row, took, null, null);
      } else {
        failed(failure, took);
      }
    }

    @Override
    public void overdue() {
      failed(new TimeoutException("the write took longer than " + LIMIT), LIMIT);
    }

    private void failed(Throwable failure, Duration took) {
      // What the dead letter itself died of is kept.
      Duration wait = engine.isClosing() ? Duration.ZERO : LIMIT;
      settle(claim, asked, RowChange.again(row, wait, null));
      observer.tell(Kind.DEAD_LETTER_FAILED, name, row, took, Failures.said(failure), wait);
    }

    @Override
    public void late(@Nullable Throwable failure, Duration took) {
      String error = failure == null ? null : Failures.said(failure);
      observer.tell(Kind.LATE, name, row, took, error, null);
    }
  }
}
