package io.waymark.durable;

import io.waymark.testing.SettableTicker;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One time for a process and its database, that moves when a test says so. */
final class TestTime implements LongSupplier {
  private static final long YEAR_2026 = 1_767_225_600_000_000L;

  private final SettableTicker ticker = new SettableTicker();
  private final CopyOnWriteArrayList<LongConsumer> hearers = new CopyOnWriteArrayList<>();
  private volatile @Nullable Runnable look;

  @Override
  public long getAsLong() {
    return ticker.getAsLong();
  }

  long micros() {
    return YEAR_2026 + TimeUnit.NANOSECONDS.toMicros(ticker.getAsLong());
  }

  void onChange(LongConsumer hearer) {
    hearers.add(hearer);
  }

  /** Whom to tell that time has passed. */
  void watchedBy(Outbox outbox) {
    look = outbox::look;
  }

  /** As {@link #watchedBy(Outbox)}. */
  void watchedBy(Fanout<?> fanout) {
    look = fanout::look;
  }

  void advance(Duration step) {
    ticker.advance(step);
    hearers.forEach(each -> each.accept(micros()));
    Runnable someone = look;
    if (someone != null) {
      someone.run();
    }
  }
}
