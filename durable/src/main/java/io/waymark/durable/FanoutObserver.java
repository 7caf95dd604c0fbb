package io.waymark.durable;

import io.waymark.core.KeptMeters;
import io.waymark.core.KeptMeters.Family;
import io.waymark.core.Meters;
import io.waymark.durable.FanoutEvent.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners and meters what happens. What they throw is logged and ignored. Thread safe. */
final class FanoutObserver {
  private static final Logger LOG = LoggerFactory.getLogger(FanoutObserver.class);
  private static final Family ATTEMPT =
      Family.of(
          FanoutMeterNames.ATTEMPT,
          FanoutMeterNames.FANOUT,
          FanoutMeterNames.TARGET,
          FanoutMeterNames.OUTCOME);
  private static final Family DELIVERY =
      Family.of(FanoutMeterNames.DELIVERY, FanoutMeterNames.FANOUT, FanoutMeterNames.TARGET);

  private final String fanout;
  private final Consumer<? super FanoutEvent> listener;
  private final KeptMeters meters;

  FanoutObserver(String fanout, Consumer<? super FanoutEvent> listener, Meters meters) {
    this.fanout = fanout;
    this.listener = listener;
    this.meters = new KeptMeters(meters);
  }

  /** Of a message. */
  void tell(
      Kind kind,
      String target,
      FanoutRow row,
      Duration took,
      @Nullable String error,
      @Nullable Duration next) {
    tell(
        new FanoutEvent(
            kind,
            fanout,
            target,
            row.messageId(),
            row.generation() + "/" + target,
            row.attempt(),
            took,
            Optional.ofNullable(error),
            Optional.ofNullable(next)));
    if (kind != Kind.STARTED) {
      meters.time(ATTEMPT, took.toNanos(), fanout, target, kind.text());
    }
    if (kind == Kind.DELIVERED) {
      meters.time(DELIVERY, row.age().plus(took).toNanos(), fanout, target);
    }
  }

  /** There is work for a target that nobody serves here. */
  void missing(String target, long pending) {
    LOG.warn(
        "{} deliveries of {} wait for target {}, which is not configured here",
        pending,
        fanout,
        target);
    tell(
        new FanoutEvent(
            Kind.TARGET_MISSING,
            fanout,
            target,
            "",
            "",
            0,
            Duration.ZERO,
            Optional.of(pending + " deliveries wait for a target that is not configured here"),
            Optional.empty()));
  }

  private void tell(FanoutEvent event) {
    LOG.debug("{}", event);
    try {
      listener.accept(event);
    } catch (RuntimeException | Error e) { // even an assertion's: a delivery does not hang on it
      LOG.warn("a listener of the fan-out threw; it is ignored", e);
    }
  }
}
