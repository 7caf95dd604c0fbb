package io.waymark.coordinator;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a process does to the outside goes through here, so that it can be stopped: for good, as by
 * a kill, or for a while, as by a suspended machine, and then with all its threads. The moments are
 * before each transaction and each statement, after each commit, and around each call to the
 * outside.
 */
final class ProcessGate {
  private enum State {
    RUNNING,
    PAUSED,
    DEAD
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicInteger inTransaction = new AtomicInteger();

  /** Guarded by the lock, as is all below. */
  private final Set<Thread> standing = new HashSet<>();

  private State state = State.RUNNING;
  private State next = State.RUNNING;
  private int left;
  private BiPredicate<String, Thread> where = (moment, thread) -> false;

  /** After so many moments from now. */
  void dieIn(int moments) {
    arm(State.DEAD, moments);
  }

  /** After so many moments from now, until {@link #wake}. */
  void pauseIn(int moments) {
    arm(State.PAUSED, moments);
  }

  /** At the next moment of this kind: {@code begin}, {@code statement}, {@code commit}, … */
  void pauseAt(String kind, Predicate<Thread> who) {
    lock.lock();
    try {
      where = (moment, thread) -> moment.equals(kind) && who.test(thread);
    } finally {
      lock.unlock();
    }
  }

  private void arm(State then, int moments) {
    lock.lock();
    try {
      next = then;
      left = moments;
    } finally {
      lock.unlock();
    }
  }

  /** Goes on; also if it was to be paused and was not yet. */
  void wake() {
    lock.lock();
    try {
      left = 0;
      where = (moment, thread) -> false;
      if (state == State.PAUSED) {
        state = State.RUNNING;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** At once. */
  void die() {
    lock.lock();
    try {
      left = 0;
      state = State.DEAD;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isDead() {
    return is(State.DEAD);
  }

  boolean isPaused() {
    return is(State.PAUSED);
  }

  private boolean is(State which) {
    lock.lock();
    try {
      return state == which;
    } finally {
      lock.unlock();
    }
  }

  /** Whether this thread has come to a moment at which the process is paused. */
  boolean isStanding(@Nullable Thread thread) {
    lock.lock();
    try {
      return thread != null && standing.contains(thread);
    } finally {
      lock.unlock();
    }
  }

  /** Whether some thread may hold locks in the database. */
  boolean isInTransaction() {
    return inTransaction.get() > 0;
  }

  /** A moment outside of the database. */
  void pass(String moment) {
    if (!step(moment)) {
      throw new IllegalStateException("the process is dead");
    }
  }

  private boolean step(String moment) {
    lock.lock();
    try {
      if (state == State.RUNNING && where.test(moment, Thread.currentThread())) {
        where = (any, thread) -> false;
        state = State.PAUSED;
      }
      if (left > 0 && --left == 0 && state == State.RUNNING) {
        state = next;
        changed.signalAll();
      }
      if (state == State.PAUSED) {
        stand();
      }
      return state != State.DEAD;
    } finally {
      lock.unlock();
    }
  }

  private void stand() {
    standing.add(Thread.currentThread());
    changed.signalAll();
    while (state == State.PAUSED) {
      changed.awaitUninterruptibly();
    }
    standing.remove(Thread.currentThread());
  }

  private void stepOrFail(String moment) throws SQLException {
    if (!step(moment)) {
      throw new SQLException("the process is dead", "08006");
    }
  }

  /** A connection whose calls are moments. */
  Connection watch(Connection connection) {
    return proxy(Connection.class, new Watched(connection));
  }

  private final class Watched implements InvocationHandler {
    private final Connection connection;
    private boolean open;

    Watched(Connection connection) {
      this.connection = connection;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "setAutoCommit" -> {
          boolean begins = !(boolean) arguments[0];
          if (begins) {
            stepOrFail("begin");
          }
          Object result = call(connection, method, arguments);
          transaction(begins);
          return result;
        }
        case "commit" -> {
          stepOrFail("commit");
          Object result = call(connection, method, arguments);
          transaction(false);
          stepOrFail("committed");
          return result;
        }
        case "rollback" -> {
          if (isDead()) {
            throw new SQLException("the process is dead", "08006");
          }
          Object result = call(connection, method, arguments);
          transaction(false);
          return result;
        }
        case "abort", "close" -> {
          transaction(false);
          return call(connection, method, arguments);
        }
        case "prepareStatement", "createStatement" -> {
          Statement made = (Statement) call(connection, method, arguments);
          return proxy(method.getReturnType(), statements(made));
        }
        default -> {
          return call(connection, method, arguments);
        }
      }
    }

    private void transaction(boolean begins) {
      if (begins != open) {
        open = begins;
        inTransaction.addAndGet(begins ? 1 : -1);
      }
    }

    private InvocationHandler statements(Statement statement) {
      return (proxy, method, arguments) -> {
        if (!method.getName().startsWith("execute")) {
          return call(statement, method, arguments);
        }
        stepOrFail("statement");
        Object result = call(statement, method, arguments);
        if (!open) {
          stepOrFail("committed"); // by itself
        }
        return result;
      };
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(ProcessGate.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
