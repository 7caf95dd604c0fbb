package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.waymark.core.OptionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be set on the pools, and what cannot. */
class PoolSettingsTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  @Test
  void eachPoolIsSetByItsName() throws SQLException {
    List<String> names = new CopyOnWriteArrayList<>();
    try (RecordedDataSource source =
        cluster.open(
            b ->
                b.pool(
                    pool -> {
                      names.add(pool.getPoolName());
                      pool.setIdleTimeout(60_000);
                      pool.setMaxLifetime(120_000);
                      pool.setKeepaliveTime(30_000);
                      pool.setLeakDetectionThreshold(60_000);
                      pool.setConnectionInitSql("SET lock_timeout = 1234");
                    }))) {
      assertThat(names)
          .containsExactly(
              "waymark-primary",
              "waymark-primary-read-only",
              "waymark-replica-1",
              "waymark-replica-2");
      assertThat(source.read("SHOW lock_timeout")).isEqualTo("1234ms");
      try (Connection connection = source.writer()) {
        assertThat(Jdbc.one(connection, "SHOW lock_timeout")).isEqualTo("1234ms");
      }
    }
  }

  @Test
  void connectionsCanBeKeptReady() throws SQLException {
    try (RecordedDataSource source =
        cluster.open(
            b ->
                b.property("ApplicationName", "kept-ready")
                    .pool(pool -> pool.setMinimumIdle(3))
                    .max(4))) {
      source.write("SELECT 1");
      // 3 in the pool, which is all it may have next to the read-only one, and the monitor's.
      await()
          .untilAsserted(
              () -> {
                try (Connection connection = cluster.primary().connect()) {
                  assertThat(
                          Jdbc.one(
                              connection,
                              "SELECT count(*) FROM pg_stat_activity"
                                  + " WHERE application_name = 'kept-ready'"))
                      .isEqualTo("4");
                }
              });
    }
  }

  static Stream<Arguments> changes() {
    ScheduledExecutorService other = Executors.newSingleThreadScheduledExecutor();
    other.shutdown();
    SQLExceptionOverride override = new SQLExceptionOverride() {};
    DataSource source = new org.postgresql.ds.PGSimpleDataSource();
    return Stream.of(
        change("dataSource", pool -> pool.setDataSource(source)),
        change("jdbcUrl", pool -> pool.setJdbcUrl("jdbc:postgresql://db-z/app?password=hunter2")),
        change("dataSourceClassName", pool -> pool.setDataSourceClassName("a.B")),
        change("dataSourceJNDI", pool -> pool.setDataSourceJNDI("java:a")),
        change("driverClassName", pool -> pool.setDriverClassName("org.postgresql.Driver")),
        change("username", pool -> pool.setUsername("app")),
        change("password", pool -> pool.setPassword("hunter2")),
        change("dataSourceProperties", pool -> pool.addDataSourceProperty("ssl", "hunter2")),
        change("maximumPoolSize", pool -> pool.setMaximumPoolSize(99)),
        change("connectionTimeout", pool -> pool.setConnectionTimeout(30_000)),
        change("validationTimeout", pool -> pool.setValidationTimeout(5_000)),
        change("initializationFailTimeout", pool -> pool.setInitializationFailTimeout(1)),
        change("autoCommit", pool -> pool.setAutoCommit(false)),
        change("readOnly", pool -> pool.setReadOnly(true)),
        change("isolateInternalQueries", pool -> pool.setIsolateInternalQueries(true)),
        change("allowPoolSuspension", pool -> pool.setAllowPoolSuspension(true)),
        change(
            "transactionIsolation",
            pool -> pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE")),
        change("schema", pool -> pool.setSchema("app")),
        change("catalog", pool -> pool.setCatalog("app")),
        change("exceptionOverride", pool -> pool.setExceptionOverride(override)),
        change("scheduledExecutor", pool -> pool.setScheduledExecutor(other)));
  }

  private static Arguments change(String setting, Consumer<HikariConfig> change) {
    return Arguments.of(setting, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void whatWaymarkReliesOnIsRefusedBeforeAnythingIsOpened(
      String setting, Consumer<HikariConfig> change) {
    long before = cluster.connectionsOpened();

    assertThatThrownBy(() -> cluster.open(b -> b.pool(change)))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: pool: " + setting + " cannot be set: ")
        .hasMessageNotContaining("hunter2");

    assertThat(cluster.connectionsOpened()).isEqualTo(before);
  }

  @Test
  void whatThePoolRefusesIsABadOptionToo() {
    assertThatThrownBy(() -> cluster.open(b -> b.pool(pool -> pool.setMinimumIdle(-1))))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: pool: a setting cannot be used: ");
  }

  @Test
  void aDataSourceOfTheUsersIsSetThere() {
    DataSource existing = new org.postgresql.ds.PGSimpleDataSource();
    assertThatThrownBy(() -> WaymarkDataSource.builder().single(existing).pool(pool -> {}).config())
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("pool has no effect");
    assertThatThrownBy(
            () ->
                WaymarkDataSource.builder()
                    .single(existing)
                    .property("sslmode", "require")
                    .config())
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("properties.sslmode has no effect");
  }
}
