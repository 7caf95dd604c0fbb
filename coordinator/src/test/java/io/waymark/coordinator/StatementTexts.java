package io.waymark.coordinator;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The texts of all statements that were prepared on connections. */
final class StatementTexts {
  private final Set<String> texts = ConcurrentHashMap.newKeySet();

  Connection watch(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            StatementTexts.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                texts.add((String) arguments[0]);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  Set<String> all() {
    return Set.copyOf(texts);
  }

  void clear() {
    texts.clear();
  }
}
