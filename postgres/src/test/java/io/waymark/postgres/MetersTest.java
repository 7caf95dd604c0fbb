package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.Meters;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is counted and timed. */
class MetersTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private final Recorded meters = new Recorded();

  /** Counts by name and tags, the tags in alphabetical order. */
  private static final class Recorded implements Meters {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    private LongAdder at(String name, Map<String, String> tags) {
      return counts.computeIfAbsent(name + new TreeMap<>(tags), key -> new LongAdder());
    }

    @Override
    public Counter counter(String name, Map<String, String> tags) {
      return at(name, tags)::increment;
    }

    @Override
    public Timer timer(String name, Map<String, String> tags) {
      LongAdder count = at(name, tags);
      return nanos -> {
        assertThat(nanos).isNotNegative();
        count.increment();
      };
    }

    long count(String series) {
      LongAdder count = counts.get(series);
      return count == null ? 0 : count.sum();
    }
  }

  @BeforeEach
  void empty() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
  }

  private RecordedDataSource open() throws SQLException {
    return cluster.open(
        b ->
            b.meters(meters)
                .max(4)
                .acquireTimeout("250ms")
                .routing(r -> r.probe("1m").consistency(Consistency.EVENTUAL)));
  }

  @Test
  void aReadIsCountedByEndpointAndReasonAndTimed() throws SQLException {
    try (RecordedDataSource source = open()) {
      source.read("SELECT 1");

      String endpoint = source.lastEvent().endpoint();
      assertThat(
              meters.count(
                  "waymark.routed{endpoint="
                      + endpoint
                      + ", operation=read, reason=auto:"
                      + endpoint
                      + "}"))
          .isEqualTo(1);
      assertThat(meters.count("waymark.acquire{endpoint=" + endpoint + ", outcome=ok}"))
          .isEqualTo(1);
      assertThat(
              meters.count(
                  "waymark.statement{endpoint=" + endpoint + ", operation=read, outcome=ok}"))
          .isEqualTo(1);
      assertThat(meters.counts).hasSize(3);
    }
  }

  @Test
  void aTransactionIsRoutedOnceAndItsStatementsAndCommitAreTimed() throws SQLException {
    try (RecordedDataSource source = open();
        Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'a')");
      assertThatThrownBy(() -> Jdbc.execute(connection, "SELECT 1/0"))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'a')");
      connection.commit();
      connection.commit();

      assertThat(
              meters.count(
                  "waymark.routed{endpoint=primary, operation=tx, reason=primary-required}"))
          .isEqualTo(2);
      assertThat(meters.count("waymark.statement{endpoint=primary, operation=tx, outcome=ok}"))
          .isEqualTo(2);
      assertThat(meters.count("waymark.statement{endpoint=primary, operation=tx, outcome=failed}"))
          .isEqualTo(1);
      assertThat(meters.count("waymark.commit{endpoint=primary, outcome=committed}")).isEqualTo(1);
      assertThat(meters.count("waymark.commit{endpoint=primary, outcome=failed}")).isEqualTo(1);
    }
  }

  @Test
  void evidenceIsCounted() throws SQLException {
    try (RecordedDataSource source =
        cluster.open(b -> b.meters(meters).routing(r -> r.probe("1m")))) {
      source.write("INSERT INTO notes VALUES (1, 'a')");
      source.read("SELECT count(*) FROM notes");

      assertThat(meters.count("waymark.evidence{endpoint=primary}")).isEqualTo(1);
    }
  }

  @Test
  void aRetryIsCountedWhereItFailed() throws SQLException {
    try (RecordedDataSource source = open()) {
      cluster.replica(1).stop();
      for (int i = 0; i < 4; i++) {
        source.read("SELECT 1");
      }

      assertThat(meters.count("waymark.retries{endpoint=replica-1}")).isPositive();
      assertThat(meters.count("waymark.retries{endpoint=replica-2}")).isZero();
      assertThat(meters.count("waymark.acquire{endpoint=replica-1, outcome=failed}")).isPositive();
    }
  }

  @Test
  void aFullPoolIsATimeout() throws SQLException {
    List<Connection> held = new ArrayList<>();
    try (RecordedDataSource source = open()) {
      for (int i = 0; i < 3; i++) {
        held.add(source.writer());
        Jdbc.execute(held.get(i), "SELECT 1");
      }

      assertThatThrownBy(() -> source.write("SELECT 1")).hasMessageStartingWith("WM1846");

      assertThat(meters.count("waymark.acquire{endpoint=primary, outcome=timeout}")).isEqualTo(1);
      for (Connection connection : held) {
        connection.close();
      }
    }
  }

  @Test
  void metersThatThrowDisturbNobody() throws SQLException {
    Meters broken =
        new Meters() {
          @Override
          public Counter counter(String name, Map<String, String> tags) {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public Timer timer(String name, Map<String, String> tags) {
            return nanos -> {
              throw new IllegalStateException("on purpose");
            };
          }
        };
    try (RecordedDataSource source = cluster.open(b -> b.meters(broken))) {
      assertThat(source.read("SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void whereNobodyMeasuresNoClockIsRead() {
    Measurements nobody =
        new Measurements(
            Meters.NONE,
            () -> {
              throw new AssertionError("the clock was read");
            });

    nobody.acquired("primary", nobody.start(), null);
    nobody.committed("primary", nobody.start(), null);
    nobody.routed(io.waymark.core.Operation.READ, "primary", "auto:primary");
  }

  @Test
  void namesAreUniqueAndOursAlone() throws IllegalAccessException {
    List<String> names = new ArrayList<>();
    for (Field field : MeterNames.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) {
        names.add(String.valueOf(field.get(null)));
      }
    }

    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z.]+"));
  }
}
