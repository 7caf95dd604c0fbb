package io.waymark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data sources behind a driver's URLs: one for each distinct URL with its properties, opened by
 * the first connection and closed when no connection has been open for a while. Thread safe.
 */
final class SharedDataSources {
  private static final Logger LOG = LoggerFactory.getLogger(SharedDataSources.class);

  private final Duration idle;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<WaymarkUrl, Shared> open = new HashMap<>();
  private final ScheduledThreadPoolExecutor timer;

  SharedDataSources(Duration idle) {
    this.idle = idle;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "waymark-driver-idle");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(1, TimeUnit.SECONDS); // no thread stays when nothing is open
    timer.allowCoreThreadTimeOut(true);
  }

  /**
   * One data source and who uses it. The count is guarded by the lock of all, opening by its own.
   */
  private static final class Shared {
    private final WaymarkUrl url;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable WaymarkDataSource db;
    private boolean closed;
    private int users;
    private @Nullable Future<?> closing;

    Shared(WaymarkUrl url) {
      this.url = url;
    }

    /** Opening may take long; who wants the same waits, and nobody else does. */
    WaymarkDataSource db() throws SQLException {
      opening.lock();
      try {
        if (closed) {
          throw PostgresError.CLOSED.exception("the driver was deregistered", null);
        }
        WaymarkDataSource opened = db;
        if (opened == null) {
          opened = url.builder().connect();
          db = opened;
        }
        return opened;
      } finally {
        opening.unlock();
      }
    }

    void close() {
      opening.lock();
      try {
        closed = true;
        WaymarkDataSource opened = db;
        if (opened != null) {
          opened.close();
        }
      } finally {
        opening.unlock();
      }
    }
  }

  /**
   * A connection of the data source for this URL.
   *
   * @throws SQLException as {@link WaymarkDataSourceBuilder#connect}; nothing is kept then
   */
  Connection connect(WaymarkUrl url) throws SQLException {
    Shared shared = use(url);
    boolean handedOut = false;
    try {
      Connection connection = shared.db().connection(() -> release(shared));
      handedOut = true;
      return connection;
    } finally {
      if (!handedOut) {
        release(shared);
      }
    }
  }

  private Shared use(WaymarkUrl url) {
    lock.lock();
    try {
      Shared shared = open.computeIfAbsent(url, Shared::new);
      shared.users++;
      if (shared.closing != null) {
        shared.closing.cancel(false);
        shared.closing = null;
      }
      return shared;
    } finally {
      lock.unlock();
    }
  }

  private void release(Shared shared) {
    lock.lock();
    try {
      shared.users--;
      if (shared.users > 0 || open.get(shared.url) != shared) {
        return;
      }
      if (shared.db == null) {
        open.remove(shared.url); // it could not be opened
      } else {
        shared.closing =
            timer.schedule(() -> closeIfIdle(shared), idle.toMillis(), TimeUnit.MILLISECONDS);
      }
    } finally {
      lock.unlock();
    }
  }

  private void closeIfIdle(Shared shared) {
    lock.lock();
    try {
      if (shared.users > 0 || !open.remove(shared.url, shared)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    LOG.debug("{}: closed, no connection was open for {} s", shared.url, idle.toSeconds());
    shared.close();
  }

  /** Closes all, also those in use. They are opened anew if somebody connects afterwards. */
  void closeAll() {
    List<Shared> all;
    lock.lock();
    try {
      all = new ArrayList<>(open.values());
      open.clear();
      for (Shared shared : all) {
        if (shared.closing != null) {
          shared.closing.cancel(false);
        }
      }
    } finally {
      lock.unlock();
    }
    all.forEach(Shared::close);
  }

  /** Whether a thread waits to close something. */
  boolean hasThread() {
    return timer.getPoolSize() > 0;
  }

  /** How many are open, or are being opened. */
  int count() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }
}
