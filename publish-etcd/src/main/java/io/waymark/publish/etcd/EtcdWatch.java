package io.waymark.publish.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import io.waymark.topology.SnapshotListener;
import io.waymark.topology.WriteRule;
import io.waymark.topology.internal.Backoff;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches all groups, for ever. jetcd resumes a watch that was interrupted, most of the time; one
 * that ends, or gives no sign of life, is given up for a new one. A watch always begins with what
 * is stored now, and what came before is read by key.
 *
 * <p>All state is the one thread's; what jetcd calls is handed to it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what a task throws is logged where it is caught
final class EtcdWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);

  private final Client client;
  private final EtcdKeys keys;
  private final long heartbeatNanos;
  private final Backoff backoff = new Backoff();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, EtcdWatch::daemon);
  private @Nullable SnapshotListener listener;
  private @Nullable Attempt current;
  private volatile boolean closed;

  EtcdWatch(Client client, EtcdKeys keys, Duration heartbeat) {
    this.client = client;
    this.keys = keys;
    this.heartbeatNanos = heartbeat.toNanos();
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "waymark-topology-watch");
    thread.setDaemon(true);
    return thread;
  }

  void start(SnapshotListener listener) {
    run(
        () -> {
          this.listener = listener;
          begin();
        },
        0);
  }

  /** Runs on the thread; nothing that is thrown ends it. */
  private void run(Runnable work, long delayNanos) {
    try {
      thread.schedule(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              LOG.warn("watching groups of {}", keys.prefix(), e);
            }
          },
          delayNanos,
          TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the watch is closed");
    }
  }

  private void begin() {
    if (closed) {
      return;
    }
    Attempt attempt = new Attempt();
    current = attempt;
    try {
      attempt.open();
      run(() -> beat(attempt), heartbeatNanos);
    } catch (RuntimeException e) {
      end(attempt, "it cannot be watched", e);
    }
  }

  /** One watch, from its beginning until it ends or is given up. */
  private final class Attempt implements Watch.Listener {
    private Watch.@Nullable Watcher watcher;

    /** Whether something was heard since the last beat. Written by jetcd's threads too. */
    private volatile boolean heard;

    void open() {
      WatchOption options =
          WatchOption.builder()
              .isPrefix(true)
              .withCreateNotify(true)
              .withProgressNotify(true)
              .withRequireLeader(true)
              .build();
      watcher = client.getWatchClient().watch(keys.all(), options, this);
    }

    boolean isCurrent() {
      return current == this && !closed;
    }

    void ask() {
      heard = false;
      if (watcher != null) {
        watcher.requestProgress();
      }
    }

    void close() {
      if (watcher != null) {
        watcher.close();
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      heard = true;
      run(() -> told(this, response), 0);
    }

    @Override
    public void onError(Throwable error) {
      run(() -> interrupted(this, error), 0);
    }

    @Override
    public void onCompleted() {
      run(() -> end(this, "the watch ended", null), 0);
    }
  }

  private void told(Attempt attempt, WatchResponse response) {
    SnapshotListener told = listener;
    if (told == null || !attempt.isCurrent()) {
      return;
    }
    if (response.isCreatedNotify()) {
      backoff.reset();
      told.listening(); // also when jetcd has resumed
    }
    for (WatchEvent event : response.getEvents()) {
      KeyValue changed = event.getKeyValue();
      String group = keys.group(changed.getKey());
      told.changed(
          group, WriteRule.stampOf(group, changed.getValue().toString(UTF_8)).orElse(null));
    }
  }

  private void interrupted(Attempt attempt, Throwable error) {
    SnapshotListener told = listener;
    if (told != null && attempt.isCurrent()) {
      LOG.info("changes under {} are not told for now", keys.prefix());
      LOG.debug("the watch", error);
      told.interrupted("the watch was interrupted");
    }
  }

  private void beat(Attempt attempt) {
    if (!attempt.isCurrent()) {
      return;
    }
    try {
      attempt.ask();
      run(() -> judge(attempt), TimeUnit.MILLISECONDS.toNanos(EtcdKeys.TIMEOUT_MILLIS));
    } catch (RuntimeException e) { // a watcher that has ended says so when it is asked
      end(attempt, "the watch ended", e);
    }
  }

  private void judge(Attempt attempt) {
    if (attempt.isCurrent()) {
      if (attempt.heard) {
        run(() -> beat(attempt), heartbeatNanos);
      } else {
        end(attempt, "the watch fell silent", null);
      }
    }
  }

  private void end(Attempt attempt, String why, @Nullable Throwable error) {
    SnapshotListener told = listener;
    if (told == null || !attempt.isCurrent()) {
      return;
    }
    current = null;
    LOG.info("changes under {} are not told for now: {}", keys.prefix(), why);
    LOG.debug("the watch", error);
    told.interrupted(why);
    run(this::begin, backoff.next().toNanos());
    attempt.close();
  }

  void close() {
    closed = true;
    run(
        () -> {
          try {
            if (current != null) {
              current.close();
            }
          } finally {
            thread.shutdown(); // here, since it drops what waits
          }
        },
        0);
  }
}
