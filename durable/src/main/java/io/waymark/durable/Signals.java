package io.waymark.durable;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints between the processes that share a store: something was staged in a channel. A hint is sent
 * after the commit on a connection of our own, never in a caller's transaction, whose commits it
 * would line up one behind the other; hints that come close together are sent as one. Nothing
 * depends on their arrival.
 *
 * <p>Thread safe.
 */
final class Signals implements Scheduler.Work {
  /** What PostgreSQL calls the channel of the notifications; their payload is ours. */
  static final String NOTIFICATIONS = "waymark_outbox";

  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
  private static final long GAP = TimeUnit.MILLISECONDS.toNanos(20);

  private final DurableStore store;
  private final CopyOnWriteArrayList<Consumer<String>> hearers = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Channels to tell of; guarded by the lock, as is the next. */
  private Set<String> unsent = new HashSet<>();

  private long lastSent;

  Signals(DurableStore store) {
    this.store = store;
    this.lastSent = store.ticker().getAsLong() - GAP;
  }

  void add(Consumer<String> hearer) {
    hearers.add(hearer);
  }

  void remove(Consumer<String> hearer) {
    hearers.remove(hearer);
  }

  /** Another process staged something in this channel. */
  void heard(String channel) {
    hearers.forEach(hearer -> hearer.accept(channel));
  }

  /** This process staged something in these channels, and its transaction has committed. */
  void announce(Iterable<String> channels) {
    if (store.dialect() != Dialect.POSTGRES) {
      return; // there is nobody else
    }
    lock.lock();
    try {
      channels.forEach(unsent::add);
    } finally {
      lock.unlock();
    }
    store.scheduler().within(0);
  }

  @Override
  public long start() {
    Set<String> sending;
    lock.lock();
    try {
      if (unsent.isEmpty()) {
        return Long.MAX_VALUE;
      }
      long now = store.ticker().getAsLong();
      long early = GAP - (now - lastSent);
      if (early > 0) {
        return early;
      }
      lastSent = now;
      sending = unsent;
      unsent = new HashSet<>();
    } finally {
      lock.unlock();
    }
    send(sending);
    return Long.MAX_VALUE;
  }

  private void send(Set<String> channels) {
    try {
      store.withHandle(
          handle -> {
            for (String channel : channels) {
              handle
                  .createQuery("SELECT 1 FROM pg_notify(:name, :channel)")
                  .bind("name", NOTIFICATIONS)
                  .bind("channel", channel)
                  .mapTo(Integer.class)
                  .one();
            }
            return null;
          });
    } catch (DurableStoreException e) {
      LOG.debug("a notification was not sent; polling finds what it told of", e);
    }
  }

  @Override
  public void close() {
    hearers.clear();
  }
}
