package io.waymark.durable;

import io.waymark.core.Meters;
import io.waymark.core.OptionException;
import io.waymark.core.RoutingLoad;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link Fanout}. Not thread safe.
 *
 * <p>Every method throws {@link OptionException} for a value that cannot be used.
 *
 * @param <T> the type of the messages' bodies
 */
public final class FanoutBuilder<T> {
  /** A target with how to serve it. */
  record Registration<T>(FanoutHandler<T> handler, TargetOptions options) {}

  final DurableStore store;
  final String name;
  final Codec<T> codec;
  final Map<String, Registration<T>> targets = new LinkedHashMap<>();
  @Nullable MessageStorage<T> deadLetters;
  @Nullable RoutingLoad load;
  Consumer<? super FanoutEvent> listener = event -> {};
  Meters meters = Meters.NONE;
  @Nullable ThreadFactory threads;
  Duration grace = Duration.ofSeconds(5);
  boolean paused;

  FanoutBuilder(DurableStore store, String name, Codec<T> codec) {
    this.store = Objects.requireNonNull(store, "store");
    this.name = Channel.checkedName(name, "name of a fan-out");
    this.codec = Objects.requireNonNull(codec, "codec");
  }

  /** A target that a callback serves, with the default options. */
  public FanoutBuilder<T> deliver(String target, FanoutHandler<T> handler) {
    return deliver(target, handler, options -> {});
  }

  /**
   * A target that a callback serves: it gets batches, and settles each message.
   *
   * @param target at most 128 bytes of UTF-8, not blank, without {@code /}; work is remembered
   *     under it, so it should not change
   */
  public FanoutBuilder<T> deliver(
      String target, FanoutHandler<T> handler, Consumer<? super TargetOptions> options) {
    TargetOptions chosen = new TargetOptions();
    options.accept(chosen);
    return register(target, Objects.requireNonNull(handler, "handler"), chosen);
  }

  /** A target that messages are written to, with the default options. */
  public FanoutBuilder<T> storage(String target, MessageStorage<T> storage) {
    return storage(target, storage, options -> {});
  }

  /**
   * A target that messages are written to: each write is an attempt of its own and settles its
   * message when it returns, whatever becomes of the others; {@code concurrency} of them run at
   * once.
   *
   * @param target as in {@link #deliver(String, FanoutHandler, Consumer)}
   */
  public FanoutBuilder<T> storage(
      String target, MessageStorage<T> storage, Consumer<? super TargetOptions> options) {
    Objects.requireNonNull(storage, "storage");
    TargetOptions chosen = new TargetOptions();
    options.accept(chosen);
    FanoutHandler<T> write =
        batch -> {
          for (FanoutDelivery<T> delivery : batch) {
            storage.store(delivery.stored());
          }
        };
    return register(target, write, chosen.batchSize(1).ackOnReturn());
  }

  private FanoutBuilder<T> register(
      String target, FanoutHandler<T> handler, TargetOptions options) {
    Channel.checkedName(target, "name of a target");
    if (target.indexOf('/') >= 0) {
      throw new OptionException("the name of a target must not contain /: " + target);
    }
    if (targets.putIfAbsent(target, new Registration<>(handler, options)) != null) {
      throw new OptionException("target " + target + " cannot be served twice");
    }
    return this;
  }

  /**
   * Where messages go that are not delivered any more. That they go there is committed before the
   * first write, and they stay in the store until a write has succeeded; a write may take a minute,
   * and is tried again a minute after it failed. Without it they are removed, and an event says so.
   */
  public FanoutBuilder<T> deadLetters(MessageStorage<T> storage) {
    this.deadLetters = Objects.requireNonNull(storage, "storage");
    return this;
  }

  /**
   * Counts acceptances and attempts in this load, and attaches the backlog to it; by default in one
   * of the fan-out's own.
   */
  public FanoutBuilder<T> load(RoutingLoad load) {
    this.load = Objects.requireNonNull(load, "load");
    return this;
  }

  /**
   * Hears of what happens to messages, on the thread that made it happen: keep it short. What it
   * throws is logged and ignored.
   */
  public FanoutBuilder<T> onEvent(Consumer<? super FanoutEvent> listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** Where attempts are timed, under {@link FanoutMeterNames}; nowhere by default. */
  public FanoutBuilder<T> meters(Meters meters) {
    this.meters = Objects.requireNonNull(meters, "meters");
    return this;
  }

  /**
   * Makes the threads that callbacks run on, for example virtual ones; daemons called {@code
   * waymark-fanout-…} by default.
   */
  public FanoutBuilder<T> threads(ThreadFactory threads) {
    this.threads = Objects.requireNonNull(threads, "threads");
    return this;
  }

  /**
   * How long {@link Fanout#close} waits for callbacks before it interrupts them; 5 s by default.
   *
   * @param time zero or longer
   */
  public FanoutBuilder<T> grace(Duration time) {
    if (time.isNegative()) {
      throw new OptionException("grace cannot be " + time + ". Accepted: zero or a duration.");
    }
    this.grace = time;
    return this;
  }

  /** Delivers nothing until {@link Fanout#resume()}. */
  public FanoutBuilder<T> paused() {
    this.paused = true;
    return this;
  }

  /**
   * The fan-out, delivering unless it is {@link #paused()}. Sees to its tables first, as the
   * store's schema mode says.
   *
   * @throws OptionException if there is no target
   * @throws IllegalStateException if a fan-out of this name is open on this store object
   * @throws DurableStoreException if the store cannot be reached, or its tables are not as they
   *     must be
   */
  public Fanout<T> build() {
    if (targets.isEmpty()) {
      throw new OptionException("a fan-out needs a target; call deliver or storage");
    }
    return new Fanout<>(this);
  }
}
