package io.waymark.durable;

import io.waymark.core.Meters;
import io.waymark.core.OptionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of an {@link Outbox}. Not thread safe.
 *
 * <p>Every method throws {@link OptionException} for a value that cannot be used.
 */
public final class OutboxBuilder {
  /** A channel with how to deliver it. */
  record Registration<T>(
      Channel<T> channel, DeliveryHandler<? super T> handler, DeliveryOptions options) {
    ChannelDelivery<T> delivery(
        DeliveryHost host, OutboxTable table, Settlements settlements, OutboxObserver observer) {
      return new ChannelDelivery<>(host, table, channel, handler, options, settlements, observer);
    }
  }

  final DurableStore store;
  final Map<String, Registration<?>> channels = new LinkedHashMap<>();
  Consumer<? super OutboxEvent> listener = event -> {};
  Meters meters = Meters.NONE;
  @Nullable ThreadFactory threads;
  Duration grace = Duration.ofSeconds(5);
  boolean paused;

  OutboxBuilder(DurableStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * Delivers a channel with the default options. A channel without a handler is only staged here.
   */
  public <T> OutboxBuilder deliver(Channel<T> channel, DeliveryHandler<? super T> handler) {
    return deliver(channel, handler, options -> {});
  }

  /** Delivers a channel. */
  public <T> OutboxBuilder deliver(
      Channel<T> channel,
      DeliveryHandler<? super T> handler,
      Consumer<? super DeliveryOptions> options) {
    DeliveryOptions chosen = new DeliveryOptions();
    options.accept(chosen);
    Registration<T> registration =
        new Registration<>(channel, Objects.requireNonNull(handler, "handler"), chosen);
    if (channels.putIfAbsent(channel.name(), registration) != null) {
      throw new OptionException("channel " + channel + " cannot have two handlers");
    }
    return this;
  }

  /**
   * Hears of every attempt, on the thread that made it: keep it short. What it throws is logged and
   * ignored.
   */
  public OutboxBuilder onEvent(Consumer<? super OutboxEvent> listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** Where attempts are timed, under {@link OutboxMeterNames}; nowhere by default. */
  public OutboxBuilder meters(Meters meters) {
    this.meters = Objects.requireNonNull(meters, "meters");
    return this;
  }

  /**
   * Makes the threads that handlers run on, for example virtual ones; daemons called {@code
   * waymark-outbox-…} by default.
   */
  public OutboxBuilder threads(ThreadFactory threads) {
    this.threads = Objects.requireNonNull(threads, "threads");
    return this;
  }

  /**
   * How long {@link Outbox#close} waits for handlers before it interrupts them; 5 s by default.
   *
   * @param time zero or longer
   */
  public OutboxBuilder grace(Duration time) {
    if (time.isNegative()) {
      throw new OptionException("grace cannot be " + time + ". Accepted: zero or a duration.");
    }
    this.grace = time;
    return this;
  }

  /** Delivers nothing until {@link Outbox#resume()}. */
  public OutboxBuilder paused() {
    this.paused = true;
    return this;
  }

  /**
   * The outbox, delivering unless it is {@link #paused()}.
   *
   * @throws IllegalStateException if another outbox on this store delivers one of the channels
   */
  public Outbox build() {
    return new Outbox(this, new AtomicLong()::incrementAndGet);
  }
}
