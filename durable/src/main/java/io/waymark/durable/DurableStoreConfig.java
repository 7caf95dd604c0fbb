package io.waymark.durable;

import io.waymark.core.SchemaMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Properties;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a {@link DurableStoreBuilder} was told. Exactly one of file and source is there. */
record DurableStoreConfig(
    @Nullable Path file,
    @Nullable DataSource source,
    @Nullable Listen listen,
    String tablePrefix,
    SchemaMode schema,
    Duration poll,
    Duration keepSettled,
    LongSupplier ticker,
    RandomGenerator random,
    @Nullable StoreClock clock,
    @Nullable TransactionGuard guard,
    UnaryOperator<Connection> watched) {

  /** Where notifications are listened to. */
  record Listen(String url, Properties properties) {
    /** Without the URL and the properties: they may hold a password. */
    @Override
    public String toString() {
      return "Listen";
    }
  }
}
