package io.waymark.topology;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of changes on a thread of its own, so that a slow one holds up no read. What
 * waits to be told is at most one change for each group.
 */
final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

  private final Consumer<GroupChange> listener;
  private final ThreadPoolExecutor thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, GroupChange> waiting = new LinkedHashMap<>();
  private boolean telling;

  Announcer(Consumer<GroupChange> listener) {
    this.listener = listener;
    this.thread =
        new ThreadPoolExecutor(
            1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Announcer::daemon);
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "waymark-topology-changes");
    thread.setDaemon(true);
    return thread;
  }

  void changed(String group, @Nullable GroupSnapshot before, @Nullable GroupSnapshot after) {
    lock.lock();
    try {
      waiting.merge(
          group,
          new GroupChange(group, Optional.ofNullable(before), Optional.ofNullable(after)),
          (first, last) -> new GroupChange(group, first.before(), last.after()));
      if (!telling && !thread.isShutdown()) {
        telling = true;
        thread.execute(this::tell);
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("CatchThrowable") // the changes after it are to be told, whatever was thrown
  private void tell() {
    for (GroupChange change = next(); change != null; change = next()) {
      try {
        listener.accept(change);
      } catch (Throwable e) {
        LOG.warn("onChange threw; it is ignored", e);
      }
    }
  }

  private @Nullable GroupChange next() {
    lock.lock();
    try {
      for (Iterator<GroupChange> all = waiting.values().iterator(); all.hasNext(); ) {
        GroupChange change = all.next();
        all.remove();
        if (!Objects.equals(change.before(), change.after())) {
          return change;
        }
      }
      telling = false;
      return null;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      waiting.clear();
      thread.shutdown();
    } finally {
      lock.unlock();
    }
  }
}
