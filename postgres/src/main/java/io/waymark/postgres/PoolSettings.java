package io.waymark.postgres;

import com.zaxxer.hikari.HikariConfig;
import io.waymark.core.OptionException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets the user set what Waymark has no opinion about on a pool, and makes sure that what Waymark
 * relies on is still as it was.
 */
final class PoolSettings {
  private PoolSettings() {}

  /**
   * Calls the user's function and checks what it left.
   *
   * @throws OptionException if it changed what Waymark decides, or set what the pool refuses
   */
  static void apply(Consumer<HikariConfig> user, HikariConfig config) {
    HikariConfig before = new HikariConfig();
    config.copyStateTo(before);
    try {
      user.accept(config);
      check(before, config);
      config.validate();
    } catch (OptionException e) {
      throw e;
    } catch (IllegalArgumentException | IllegalStateException e) {
      OptionException refused =
          new OptionException("pool: a setting cannot be used: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private static void check(HikariConfig before, HikariConfig now) {
    String urls = "endpoints are given by URL, with primary and replica";
    same("dataSource", before.getDataSource(), now.getDataSource(), urls);
    unset("jdbcUrl", now.getJdbcUrl(), urls);
    unset("dataSourceClassName", now.getDataSourceClassName(), urls);
    unset("dataSourceJNDI", now.getDataSourceJNDI(), urls);
    unset("driverClassName", now.getDriverClassName(), urls);
    String credentials = "they are the options user and password";
    unset("username", now.getUsername(), credentials);
    unset("password", now.getPassword(), credentials);
    unset(
        "dataSourceProperties",
        now.getDataSourceProperties().isEmpty() ? null : "some",
        "properties of the driver are given with property");
    same(
        "maximumPoolSize",
        before.getMaximumPoolSize(),
        now.getMaximumPoolSize(),
        "it is the option max, or replicas[i].pool.max");
    same(
        "connectionTimeout",
        before.getConnectionTimeout(),
        now.getConnectionTimeout(),
        "how long a call waits is the option acquireTimeout");
    same(
        "validationTimeout",
        before.getValidationTimeout(),
        now.getValidationTimeout(),
        "a call must learn in time that a connection is dead");
    same(
        "initializationFailTimeout",
        before.getInitializationFailTimeout(),
        now.getInitializationFailTimeout(),
        "a replica may be missing at the start");
    same("autoCommit", before.isAutoCommit(), now.isAutoCommit(), "callers set it");
    same("readOnly", before.isReadOnly(), now.isReadOnly(), "callers declare it");
    same(
        "isolateInternalQueries",
        before.isIsolateInternalQueries(),
        now.isIsolateInternalQueries(),
        "connections are in autocommit");
    same(
        "allowPoolSuspension",
        before.isAllowPoolSuspension(),
        now.isAllowPoolSuspension(),
        "a suspended pool keeps callers waiting beyond acquireTimeout");
    unset("transactionIsolation", now.getTransactionIsolation(), "callers set it");
    unset("schema", now.getSchema(), "it is the driver's property currentSchema");
    unset("catalog", now.getCatalog(), "the database is in the URL");
    same(
        "exceptionOverride",
        before.getExceptionOverride(),
        now.getExceptionOverride(),
        "which failures end a connection is decided by routing");
    unset(
        "exceptionOverrideClassName",
        now.getExceptionOverrideClassName(),
        "which failures end a connection is decided by routing");
    same(
        "scheduledExecutor",
        before.getScheduledExecutor(),
        now.getScheduledExecutor(),
        "all pools share one that ends with the data source");
  }

  private static void same(
      String setting, @Nullable Object before, @Nullable Object now, String why) {
    if (!Objects.equals(before, now)) {
      throw refused(setting, why);
    }
  }

  private static void unset(String setting, @Nullable String now, String why) {
    if (now != null) {
      throw refused(setting, why);
    }
  }

  private static OptionException refused(String setting, String why) {
    return new OptionException("pool: " + setting + " cannot be set: " + why);
  }
}
