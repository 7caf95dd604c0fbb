package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A process that dies at its n-th step. A step is what leaves the process: each statement, begin,
 * commit or rollback that is sent to the database, and each call of a handler. At that step, either
 * before it takes effect or right after, everything stops: that step and all later ones throw, and
 * transactions that were open are gone, as the database sees to when a process dies.
 */
final class Crash {
  private static final Set<String> STEPS =
      Set.of(
          "execute",
          "executeQuery",
          "executeUpdate",
          "executeBatch",
          "executeLargeUpdate",
          "setAutoCommit",
          "commit",
          "rollback");

  /** More steps than a life has: some must end without a crash. */
  private static final int MOST = 600;

  private final int step;
  private final boolean after;
  private final AtomicInteger steps = new AtomicInteger();
  private volatile boolean dead;

  /**
   * A crash.
   *
   * @param step at which it happens, from 1; 0 for never
   * @param after whether that step still takes effect
   */
  Crash(int step, boolean after) {
    this.step = step;
    this.after = after;
  }

  /** The life of a process that may die, and what is to hold after it. */
  interface Life {
    /**
     * Runs it in a world of its own.
     *
     * @param where it dies, for messages
     */
    void run(Crash crash, String where) throws Exception;
  }

  /**
   * Runs a life again and again, and lets it die at a later step each time, until it does not die
   * any more.
   *
   * @param stride how many steps further it dies each time
   * @param least how many steps a life has at least
   */
  static void atEveryStep(boolean after, int stride, int least, Life life) throws Exception {
    for (int step = 1; step < MOST; step += stride) {
      Crash crash = new Crash(step, after);
      life.run(crash, "step " + step + (after ? ", after it" : ", before it"));
      if (!crash.happened()) {
        assertThat(step).as("steps of a life").isGreaterThan(least);
        return;
      }
    }
    throw new AssertionError("every life ended with a crash: more steps than " + MOST);
  }

  boolean happened() {
    return dead;
  }

  /** Runs a step of the process. */
  <R> R step(Callable<R> body) throws Exception {
    boolean last = steps.incrementAndGet() == step;
    if (dead || (last && !after)) {
      dead = true;
      throw new SQLException("the process is dead", "08006");
    }
    R result = body.call();
    if (last || dead) {
      dead = true;
      throw new SQLException("the process is dead", "08006");
    }
    return result;
  }

  DataSource around(DataSource source) {
    return proxy(
        DataSource.class,
        source,
        (method, arguments) ->
            method.getName().equals("getConnection")
                ? around((Connection) step(() -> invoke(source, method, arguments)))
                : invoke(source, method, arguments));
  }

  Connection around(Connection connection) {
    return proxy(
        Connection.class,
        connection,
        (method, arguments) -> {
          if (STEPS.contains(method.getName())) {
            return step(() -> invoke(connection, method, arguments));
          }
          Object result = invoke(connection, method, arguments);
          return result instanceof Statement statement ? around(method, statement) : result;
        });
  }

  private Object around(Method made, Statement statement) {
    return proxy(
        made.getReturnType(),
        statement,
        (method, arguments) ->
            STEPS.contains(method.getName())
                ? step(() -> invoke(statement, method, arguments))
                : invoke(statement, method, arguments));
  }

  private interface Calls {
    Object call(Method method, Object[] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Object target, Calls calls) {
    InvocationHandler handler = (self, method, arguments) -> calls.call(method, arguments);
    return type.cast(
        Proxy.newProxyInstance(target.getClass().getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Exception {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
