package io.waymark.coordinator;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections of which some commits take effect and are not answered. */
final class LostAnswers {
  private final AtomicInteger toLose = new AtomicInteger();
  private volatile Thread of = Thread.currentThread();

  /** The answers to this thread's next commits are lost. */
  void lose(int commits) {
    of = Thread.currentThread();
    toLose.set(commits);
  }

  int left() {
    return toLose.get();
  }

  Connection watch(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            LostAnswers.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
              if (method.getName().equals("commit")
                  && Thread.currentThread() == of
                  && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new SQLException("the connection was lost", "08006");
              }
              return result;
            });
  }
}
