package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.CommonDataSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgDatabaseMetaData;
import org.postgresql.jdbc.PgResultSet;
import org.postgresql.jdbc.PgStatement;

/**
 * Calls each method of JDBC, as this Java has it, on a connection that has no server yet, and
 * compares what becomes of the connection with the tables of the specification.
 */
class JdbcMethodsTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final Path SPECIFICATION =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/spec/postgres.md").normalize();

  private RecordedDataSource source;

  @BeforeEach
  void open() throws SQLException {
    // The user stands in the URLs: as an option it would answer getUserName.
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder().primary(cluster.primary().proxyUrl() + "?user=postgres");
    cluster.replicas().forEach(node -> builder.replica(node.proxyUrl() + "?user=postgres"));
    source = RecordedDataSource.open(builder, b -> b.routing(r -> r.probe("1m")));
  }

  @AfterEach
  void close() {
    source.close();
  }

  // ---- the tables

  /** One row: what the methods that it names do. */
  private record Row(Set<String> names, String binds, String pins) {
    boolean isFor(String name) {
      return names.contains(name);
    }
  }

  private static final Pattern NAME = Pattern.compile("`(\\w+(?:\\([^)]*\\)|…)?)`");
  private static final String OTHERS = "everything else";

  private static Map<String, List<Row>> tables() throws IOException {
    Map<String, List<Row>> tables = new LinkedHashMap<>();
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(SPECIFICATION)) {
      if (line.equals("## Promises")) {
        break;
      }
      if (line.startsWith("### ")) {
        rows = new ArrayList<>();
        tables.put(line.substring(4), rows);
      }
      String[] cells = line.split("\\|", -1);
      if (cells.length == 7 && !cells[1].contains("---") && !cells[1].contains("Methods")) {
        Set<String> names = new LinkedHashSet<>();
        NAME.matcher(cells[1]).results().forEach(name -> names.add(name.group(1)));
        if (cells[1].contains(OTHERS)) {
          names.add(OTHERS);
        }
        rows.add(new Row(names, cells[2].strip(), cells[5].strip()));
      }
    }
    return tables;
  }

  /** From the most to the least exact, what a table may call this method. */
  private static List<String> names(Method method) {
    List<String> types =
        Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
    List<String> names = new ArrayList<>();
    names.add(method.getName() + "(" + String.join(", ", types) + ")");
    if (!types.isEmpty()) {
      names.add(method.getName() + "(" + types.get(0) + "…)");
    }
    names.add(method.getName());
    for (int length = method.getName().length(); length > 0; length--) {
      names.add(method.getName().substring(0, length) + "…");
    }
    return names;
  }

  /**
   * The row for this method: one that names it, of its own kind of object or of what that inherits
   * from; else one for all that begin like it; else the one for everything else.
   */
  private static Row row(Method method, String... kinds) throws IOException {
    List<String> names = names(method);
    List<String> begins = names.stream().filter(name -> name.matches("\\w+…")).toList();
    List<String> exact = names.stream().filter(name -> !begins.contains(name)).toList();
    Map<String, List<Row>> tables = tables();
    for (List<String> calledSo : List.of(exact, begins, List.of(OTHERS))) {
      for (String kind : kinds) {
        for (String name : calledSo) {
          for (Row row : tables.getOrDefault(kind, List.of())) {
            if (row.isFor(name)) {
              return row;
            }
          }
        }
      }
    }
    throw new AssertionError("no row of the specification is for " + method);
  }

  @Test
  void noRowIsForAMethodThatDoesNotExist() throws IOException {
    Map<String, Class<?>> kinds =
        Map.of(
            "DataSource", WaymarkDataSource.class,
            "Connection", Connection.class,
            "Statement", Statement.class,
            "PreparedStatement", PreparedStatement.class,
            "CallableStatement", CallableStatement.class,
            "ResultSet", ResultSet.class,
            "DatabaseMetaData", DatabaseMetaData.class);
    Map<String, List<Row>> tables = tables();
    assertThat(tables.keySet()).containsExactlyInAnyOrderElementsOf(kinds.keySet());
    tables.forEach(
        (kind, rows) -> {
          Set<String> known =
              Stream.of(methods(kinds.get(kind)), methods(Object.class))
                  .flatMap(List::stream)
                  .flatMap(method -> names(method).stream())
                  .collect(Collectors.toSet());
          known.add(OTHERS);
          assertThat(rows)
              .as(kind)
              .flatExtracting(Row::names)
              .isSubsetOf(known)
              .doesNotHaveDuplicates();
        });
  }

  private static List<Method> methods(@Nullable Class<?> type) {
    return type == null
        ? List.of()
        : Arrays.stream(type.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> type == Object.class || method.getDeclaringClass() != Object.class)
            .filter(method -> !method.isBridge())
            .toList();
  }

  // ---- arguments that do no harm

  private static @Nullable Object argument(Method method, Class<?> type, Object target) {
    if (type == int.class) {
      return method.getName().equals("setHoldability")
          ? ResultSet.CLOSE_CURSORS_AT_COMMIT
          : method.getName().equals("setTransactionIsolation")
              ? Connection.TRANSACTION_READ_COMMITTED
              : 1;
    }
    if (type == Class.class) {
      return target instanceof Connection
          ? PGConnection.class
          : target instanceof DatabaseMetaData
              ? PgDatabaseMetaData.class
              : target instanceof ResultSet ? PgResultSet.class : PgStatement.class;
    }
    Map<Class<?>, Object> plain =
        Map.of(
            boolean.class,
            true,
            byte.class,
            (byte) 1,
            short.class,
            (short) 1,
            long.class,
            1L,
            float.class,
            1f,
            double.class,
            1d,
            String.class,
            method.getName().equals("createArrayOf") ? "int4" : "SELECT 1",
            Executor.class,
            (Executor) Runnable::run,
            Map.class,
            Map.of(),
            Object[].class,
            new Object[0]);
    return plain.get(type); // else null
  }

  /** What it threw; null if it returned. */
  private static @Nullable Throwable call(Method method, Object target) {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> argument(method, type, target))
            .toArray();
    try {
      Object result = method.invoke(target, arguments);
      if (result instanceof ResultSet rows) {
        rows.close();
      }
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    } catch (SQLException | IllegalAccessException e) {
      throw new AssertionError("calling " + method, e);
    }
  }

  // ---- what becomes of the connection

  private interface Maker {
    Object of(Connection connection) throws SQLException;
  }

  private List<DynamicTest> each(Class<?> type, Maker maker, String... kinds) {
    return methods(type).stream()
        .map(
            method ->
                DynamicTest.dynamicTest(
                    names(method).get(0), () -> isAsTheTableSays(method, maker, kinds)))
        .toList();
  }

  private void isAsTheTableSays(Method method, Maker maker, String... kinds) throws Exception {
    Row row = row(method, kinds);
    try (Connection connection = source.reader()) {
      RoutedConnection routed = (RoutedConnection) connection;
      Object target = maker.of(connection);
      assertThat(routed.binding()).as("before").isNull();
      long before = cluster.roundTrips();

      Throwable thrown = call(method, target);

      if (row.binds().startsWith("runs")) {
        assertThat(routed.binding()).as("bound; it threw %s", thrown).isNotNull();
      } else {
        assertThat(routed.binding()).as("not bound").isNull();
        assertThat(cluster.roundTrips()).as("nothing was sent").isEqualTo(before);
      }
      if (row.binds().startsWith("refused")) {
        assertThat(thrown).isInstanceOf(SQLException.class);
      }
      if (row.pins().startsWith("yes")) {
        assertThat(routed.tiedBy()).isEqualTo("unwrap");
      } else if (row.pins().startsWith("no")) {
        assertThat(routed.tiedBy()).isNull();
      }
      assertThat(row.binds()).matches("(no|runs|refused|–).*");
    }
  }

  @TestFactory
  List<DynamicTest> eachMethodOfAConnection() {
    return each(Connection.class, connection -> connection, "Connection");
  }

  @TestFactory
  List<DynamicTest> eachMethodOfAStatement() {
    return each(Statement.class, Connection::createStatement, "Statement");
  }

  @TestFactory
  List<DynamicTest> eachMethodOfAPreparedStatement() {
    return each(
        PreparedStatement.class,
        connection -> connection.prepareStatement("SELECT 1"),
        "PreparedStatement",
        "Statement");
  }

  @TestFactory
  List<DynamicTest> eachMethodOfACallableStatement() {
    return each(
        CallableStatement.class,
        connection -> connection.prepareCall("{? = call upper(?)}"),
        "CallableStatement",
        "PreparedStatement",
        "Statement");
  }

  @TestFactory
  List<DynamicTest> eachMethodOfTheMetadata() {
    return each(DatabaseMetaData.class, Connection::getMetaData, "DatabaseMetaData");
  }

  /** A result has a server behind it: it neither moves the connection nor asks for another. */
  @TestFactory
  List<DynamicTest> eachMethodOfAResult() {
    return methods(ResultSet.class).stream()
        .map(
            method ->
                DynamicTest.dynamicTest(
                    names(method).get(0), () -> leavesTheConnectionWhereItIs(method)))
        .toList();
  }

  private void leavesTheConnectionWhereItIs(Method method) throws Exception {
    Row row = row(method, "ResultSet");
    try (Connection connection = source.reader();
        Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      RoutedConnection routed = (RoutedConnection) connection;
      ResultSet rows = statement.executeQuery("SELECT 1 AS one");
      Binding before = routed.binding();
      int events = source.events().size();
      connection.setReadOnly(false); // it would move, if it could

      Throwable thrown = call(method, rows);

      assertThat(routed.binding()).as("the same; it threw %s", thrown).isSameAs(before);
      boolean runs = row.binds().startsWith("runs");
      assertThat(source.events()).hasSize(runs ? events + 1 : events);
      if (runs) {
        rows.close();
        assertThat(routed.tiedBy()).isEqualTo("unwrap");
      }
    }
  }

  @TestFactory
  List<DynamicTest> eachMethodOfTheDataSource() {
    return Stream.concat(
            methods(WaymarkDataSource.class).stream(), methods(CommonDataSource.class).stream())
        .filter(method -> !method.getName().equals("close"))
        .map(method -> DynamicTest.dynamicTest(names(method).get(0), () -> reachesNoServer(method)))
        .toList();
  }

  private void reachesNoServer(Method method) throws Exception {
    Row row = row(method, "DataSource");
    long before = cluster.roundTrips();
    long connections = cluster.connectionsOpened();
    DataSource target = source.db();
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(
                type ->
                    type == Class.class
                        ? DataSource.class
                        : type.isEnum()
                            ? type.getEnumConstants()[0]
                            : argument(method, type, target))
            .toArray();
    Throwable thrown = null;
    try {
      Object result = method.invoke(target, arguments);
      if (result instanceof AutoCloseable made && made != target) {
        made.close(); // a scope, a session, a connection
      }
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
    }

    if (row.binds().startsWith("refused")) {
      assertThat(thrown).isInstanceOf(SQLException.class);
    } else {
      assertThat(thrown).isNull();
    }
    assertThat(cluster.roundTrips()).isEqualTo(before);
    assertThat(cluster.connectionsOpened()).isEqualTo(connections);
  }
}
