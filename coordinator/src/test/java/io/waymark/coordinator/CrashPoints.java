package io.waymark.coordinator;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the moments at which a process may die: before each statement, after each one that
 * commits, and around each call to the outside. At the chosen one it dies: that and everything
 * after it fails.
 */
final class CrashPoints {
  /** What the end of a process does to its connections; anything else could still commit. */
  private static final Set<String> OF_THE_DEAD =
      Set.of("close", "abort", "isClosed", "getAutoCommit", "toString", "hashCode", "equals");

  private final AtomicInteger passed = new AtomicInteger();
  private volatile int fatal = Integer.MAX_VALUE;
  private volatile boolean armed;
  private volatile boolean dead;

  /** From now on, dies at this moment, counted from 0. */
  void dieAt(int moment) {
    fatal = moment;
    armed = true;
  }

  boolean isDead() {
    return dead;
  }

  /** A moment outside of the database. */
  void pass() {
    if (!step()) {
      throw new IllegalStateException("the process is dead");
    }
  }

  private boolean step() {
    if (armed && passed.getAndIncrement() >= fatal) {
      dead = true;
    }
    return !dead;
  }

  private void stepOrFail() throws SQLException {
    if (!step()) {
      throw new SQLException("the process is dead", "08006");
    }
  }

  /** A connection whose calls are moments. */
  Connection watch(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          if (dead && !OF_THE_DEAD.contains(method.getName())) {
            throw new SQLException("the process is dead", "08006");
          }
          switch (method.getName()) {
            case "commit" -> {
              stepOrFail();
              invoke(connection, method, arguments);
              stepOrFail();
              return null;
            }
            case "prepareStatement", "createStatement" -> {
              Statement made = (Statement) invoke(connection, method, arguments);
              Class<?> type = method.getReturnType();
              return proxy(type, statements(made, connection));
            }
            default -> {
              return invoke(connection, method, arguments);
            }
          }
        });
  }

  private InvocationHandler statements(Statement statement, Connection connection) {
    return (proxy, method, arguments) -> {
      if (!method.getName().startsWith("execute")) {
        return invoke(statement, method, arguments);
      }
      boolean commits = connection.getAutoCommit();
      stepOrFail();
      Object result = invoke(statement, method, arguments);
      if (commits) {
        stepOrFail();
      }
      return result;
    };
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(CrashPoints.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
