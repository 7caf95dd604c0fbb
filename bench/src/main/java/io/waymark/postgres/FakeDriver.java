package io.waymark.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Field;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.ResultHandler;
import org.postgresql.core.TransactionState;
import org.postgresql.core.Tuple;

/**
 * A driver without servers that answers at once, so that what is left to measure is what stands in
 * front of it. A URL with the host {@code primary} leads to a primary, every other to a standby
 * that has replayed everything.
 */
final class FakeDriver implements Driver {
  static final String PRIMARY = "jdbc:postgresql://primary/app";

  /** By the type that a method returns; null for all others. */
  private static final Map<Class<?>, Object> NOTHING = Map.of(boolean.class, false, int.class, 0);

  /** Where every server stands and every transaction ends. */
  private static final String POSITION = "0/2000000";

  private static final byte[] POSITION_BYTES = POSITION.getBytes(StandardCharsets.US_ASCII);

  /** A data source of connections to the primary. */
  static DataSource dataSource() {
    FakeDriver driver = new FakeDriver();
    return proxy(
        DataSource.class,
        (proxy, method, args) ->
            method.getName().equals("getConnection")
                ? driver.connect(PRIMARY, new Properties())
                : nothing(proxy, method, args));
  }

  @Override
  public Connection connect(String url, Properties info) {
    return proxy(BaseConnection.class, new FakeConnection(url));
  }

  @Override
  public boolean acceptsURL(String url) {
    return true;
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 0;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("it logs nothing");
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FakeDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** What a method that does not matter here returns. */
  private static @Nullable Object nothing(Object proxy, Method method, Object @Nullable [] args) {
    return switch (method.getName()) {
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> args != null && args[0] == proxy;
      case "toString" -> "fake " + proxy.getClass().getInterfaces()[0].getSimpleName();
      case "unwrap" -> proxy;
      default -> NOTHING.get(method.getReturnType());
    };
  }

  private static final class FakeConnection implements InvocationHandler {
    private final String url;
    private final QueryExecutor executor = proxy(QueryExecutor.class, new FakeExecutor());
    private boolean autoCommit = true;
    private boolean readOnly;
    private boolean inTransaction;
    private volatile boolean closed;

    FakeConnection(String url) {
      this.url = url;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) {
      return switch (method.getName()) {
        case "createStatement" -> proxy(Statement.class, new FakeStatement(""));
        case "prepareStatement" -> proxy(PreparedStatement.class, new FakeStatement(text(args)));
        case "getTransactionState" -> inTransaction ? TransactionState.OPEN : TransactionState.IDLE;
        case "getQueryExecutor" -> executor;
        case "setAutoCommit" -> {
          autoCommit = flag(args);
          yield null;
        }
        case "getAutoCommit" -> autoCommit;
        case "setReadOnly" -> {
          readOnly = flag(args);
          yield null;
        }
        case "isReadOnly" -> readOnly;
        case "commit", "rollback" -> {
          inTransaction = false;
          yield null;
        }
        case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
        case "isValid" -> !closed;
        case "isClosed" -> closed;
        case "close", "abort" -> {
          closed = true;
          yield null;
        }
        default -> nothing(proxy, method, args);
      };
    }

    private static boolean flag(Object @Nullable [] args) {
      return args != null && (Boolean) args[0];
    }

    private static String text(Object @Nullable [] args) {
      return args == null ? "" : (String) args[0];
    }

    /** The row that this text gives: Waymark's own questions, and whatever a caller asks. */
    private Object[] answer(String sql) {
      boolean standby = !url.startsWith("jdbc:postgresql://primary/");
      if (sql.startsWith("SELECT pg_catalog.has_function_privilege")) {
        return new Object[] {true, true, true};
      }
      if (sql.contains("pg_postmaster_start_time")) {
        return new Object[] {7L, (long) url.hashCode(), url, 5432, 8192L, 16L << 20};
      }
      if (sql.contains("pg_is_in_recovery")) {
        return new Object[] {
          standby,
          180_000,
          standby ? null : POSITION,
          standby ? null : POSITION,
          standby ? POSITION : null,
          0L,
          false,
          1
        };
      }
      return new Object[] {42};
    }

    private final class FakeStatement implements InvocationHandler {
      private final String prepared;
      private boolean closed;

      FakeStatement(String prepared) {
        this.prepared = prepared;
      }

      @Override
      public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) {
        return switch (method.getName()) {
          case "executeQuery" -> {
            inTransaction = !autoCommit;
            yield proxy(
                ResultSet.class, new FakeResult(answer(args == null ? prepared : text(args))));
          }
          case "executeUpdate" -> {
            inTransaction = !autoCommit;
            yield 1;
          }
          case "execute" -> {
            inTransaction = !autoCommit;
            yield false;
          }
          case "isClosed" -> closed;
          case "close" -> {
            closed = true;
            yield null;
          }
          default -> nothing(proxy, method, args);
        };
      }
    }

    /** Answers the text that commits and reads positions. */
    private final class FakeExecutor implements InvocationHandler {
      private final Query query = proxy(Query.class, FakeDriver::nothing);
      private final Field[] fields = new Field[2];
      private final List<Tuple> transaction = List.of(new Tuple(new byte[][] {{'7'}, {'o', 'n'}}));
      private final List<Tuple> positions =
          List.of(new Tuple(new byte[][] {POSITION_BYTES, POSITION_BYTES}));

      @Override
      public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
          throws SQLException {
        return switch (method.getName()) {
          case "createSimpleQuery" -> query;
          case "execute" -> {
            if (args != null && args[2] instanceof ResultHandler handler) {
              handler.handleResultRows(query, fields, transaction, null);
              handler.handleCommandStatus("SELECT 1", 1, 0);
              handler.handleCommandStatus("COMMIT", 0, 0);
              handler.handleResultRows(query, fields, positions, null);
              handler.handleCommandStatus("SELECT 1", 1, 0);
              inTransaction = false;
            }
            yield null;
          }
          default -> nothing(proxy, method, args);
        };
      }
    }
  }

  /** One row. */
  private static final class FakeResult implements InvocationHandler {
    private final @Nullable Object[] row;
    private boolean read;
    private boolean wasNull;
    private boolean closed;

    FakeResult(@Nullable Object[] row) {
      this.row = row;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) {
      return switch (method.getName()) {
        case "next" -> {
          boolean more = !read;
          read = true;
          yield more;
        }
        case "getInt", "getLong", "getBoolean", "getString" -> {
          Object value = args == null ? null : row[(Integer) args[0] - 1];
          wasNull = value == null;
          yield value;
        }
        case "wasNull" -> wasNull;
        case "getMetaData" ->
            proxy(
                ResultSetMetaData.class,
                (meta, asked, none) ->
                    asked.getName().equals("getColumnCount")
                        ? row.length
                        : nothing(meta, asked, none));
        case "isClosed" -> closed;
        case "close" -> {
          closed = true;
          yield null;
        }
        default -> nothing(proxy, method, args);
      };
    }
  }
}
