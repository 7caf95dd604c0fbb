package io.waymark.durable;

import io.waymark.durable.OutboxEvent.Kind;
import io.waymark.durable.OutboxTable.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Delivers one channel of an outbox, a key at a time. Thread safe. */
final class ChannelDelivery<T> implements DeliveryQueue<Claim> {
  private final DurableStore store;
  private final OutboxTable table;
  private final Channel<T> channel;
  private final DeliveryHandler<? super T> handler;
  private final DeliveryOptions options;
  private final Settlements settlements;
  private final OutboxObserver observer;
  private final DeliveryEngine<Claim> engine;

  ChannelDelivery(
      DeliveryHost host,
      OutboxTable table,
      Channel<T> channel,
      DeliveryHandler<? super T> handler,
      DeliveryOptions options,
      Settlements settlements,
      OutboxObserver observer) {
    this.store = host.store();
    this.table = table;
    this.channel = channel;
    this.handler = handler;
    this.options = options;
    this.settlements = settlements;
    this.observer = observer;
    this.engine =
        new DeliveryEngine<>(
            channel.name(), host, this, options.concurrency(), options.attemptTimeout());
  }

  DeliveryEngine<Claim> engine() {
    return engine;
  }

  @Override
  public Optional<Duration> untilDue() {
    return table.untilDue(channel.name());
  }

  @Override
  public Optional<Claim> claim(long token, Duration lease) {
    return table.claim(channel.name(), token, lease);
  }

  @Override
  public @Nullable DeliveryCall prepare(Claim claim, long asked) {
    String payload = claim.payload();
    if (payload == null) { // cancelled, and then its deliverer died
      settle(claim, asked, () -> table.again(claim, null, Duration.ZERO, 0));
      return null;
    }
    try {
      return new Call(claim, asked, channel.decode(payload));
    } catch (RuntimeException | StackOverflowError e) {
      failed(claim, asked, Kind.UNDECODABLE, e, Duration.ZERO);
      return null;
    }
  }

  @Override
  public void giveBack(Claim claim, long asked) {
    settle(claim, asked, () -> table.again(claim, null, Duration.ZERO, claim.attempt() - 1));
  }

  /** One attempt at the value of a key. */
  private final class Call implements DeliveryCall {
    private final Claim claim;
    private final long asked;
    private final T value;
    private @Nullable Receipt receipt;

    Call(Claim claim, long asked, T value) {
      this.claim = claim;
      this.asked = asked;
      this.value = value;
    }

    @Override
    public void run(BooleanSupplier abandoned) throws Exception {
      receipt =
          handler.deliver(
              new Delivery<>(claim.key(), claim.version(), claim.attempt(), value, abandoned));
    }

    @Override
    public void ended(@Nullable Throwable failure, Duration took) {
      Receipt answer = receipt;
      if (answer != null) {
        answered(claim, asked, answer, took);
      } else {
        Throwable why =
            failure == null ? new NullPointerException("the handler returned null") : failure;
        failed(claim, asked, Kind.FAILED, why, took);
      }
    }

    @Override
    public void overdue() {
      Duration limit = options.attemptTimeout();
      failed(
          claim,
          asked,
          Kind.TIMED_OUT,
          new TimeoutException("the attempt took longer than " + limit),
          limit);
    }

    @Override
    public void late(@Nullable Throwable failure, Duration took) {
      tell(Kind.LATE, claim, took, failure, null);
    }
  }

  private void answered(Claim claim, long asked, Receipt receipt, Duration took) {
    Duration again = receipt.again();
    if (again == null) {
      settle(claim, asked, () -> table.delivered(claim));
      settlements.delivered(claim);
      tell(Kind.DELIVERED, claim, took, null, null);
    } else {
      settle(claim, asked, () -> table.again(claim, null, again, 0));
      store.scheduler().within(again.toNanos());
      settlements.notYet(claim, "the handler asked to be called again");
      tell(Kind.AGAIN, claim, took, null, again);
    }
  }

  private void failed(Claim claim, long asked, Kind kind, Throwable why, Duration took) {
    // What close() interrupted is for the next process to try, and at once.
    Duration wait =
        engine.isClosing() ? Duration.ZERO : store.delay(options.backoff(), claim.attempt());
    String said = Failures.said(why);
    settle(claim, asked, () -> table.again(claim, said, wait, claim.attempt()));
    store.scheduler().within(wait.toNanos());
    settlements.notYet(claim, said);
    tell(kind, claim, took, why, wait);
  }

  private void settle(Claim claim, long asked, Supplier<Settled> statement) {
    if (engine.settle(asked, statement) == Settled.LOST) {
      tell(Kind.CLAIM_LOST, claim, Duration.ZERO, null, null);
    }
  }

  private void tell(
      Kind kind, Claim claim, Duration took, @Nullable Throwable error, @Nullable Duration next) {
    observer.tell(
        new OutboxEvent(
            kind,
            channel.name(),
            claim.key(),
            claim.version(),
            claim.attempt(),
            took,
            Optional.ofNullable(error),
            Optional.ofNullable(next)),
        claim.age());
  }
}
