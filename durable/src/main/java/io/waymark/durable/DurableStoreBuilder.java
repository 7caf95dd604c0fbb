package io.waymark.durable;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import io.waymark.core.SchemaMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link DurableStore}. Nothing is opened before {@link #open()}. Not thread safe.
 *
 * <p>Every method throws {@link OptionException} for a value that cannot be used.
 */
public final class DurableStoreBuilder {
  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Duration SHORTEST_POLL = Duration.ofSeconds(1);
  private static final Duration LONGEST_POLL = Duration.ofSeconds(15);
  private static final Duration SHORTEST_KEEP = Duration.ofMinutes(1);
  private static final Duration LONGEST_KEEP = Duration.ofDays(10_000);

  private final @Nullable Path file;
  private final @Nullable DataSource source;
  private DurableStoreConfig.@Nullable Listen listen;
  private String tablePrefix = "";
  private SchemaMode schema = SchemaMode.CREATE;
  private Duration poll = StoreOptions.duration(StoreOptions.POLL);
  private Duration keepSettled = StoreOptions.duration(StoreOptions.KEEP_SETTLED);
  private LongSupplier ticker = System::nanoTime;
  private RandomGenerator random = new SplittableRandom();
  private @Nullable StoreClock clock;
  private @Nullable TransactionGuard guard;
  private UnaryOperator<Connection> watched = UnaryOperator.identity();

  DurableStoreBuilder(@Nullable Path file, @Nullable DataSource source) {
    this.file = file;
    this.source = source;
  }

  /**
   * What to do about the store's tables; {@link SchemaMode#CREATE} by default. It holds for the
   * tables of everything that uses the store.
   */
  public DurableStoreBuilder schema(SchemaMode mode) {
    this.schema = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * PostgreSQL: the schema that holds the tables; it must exist. By default the first one of each
   * connection's {@code search_path}, which must then be the same on all connections, those of
   * callers that stage included.
   *
   * @param name lower-case letters, digits and {@code _}
   */
  public DurableStoreBuilder inSchema(String name) {
    onlyPostgres("inSchema");
    if (!SCHEMA.matcher(name).matches()) {
      throw OptionException.refused(StoreOptions.IN_SCHEMA, name, "it is no plain name");
    }
    this.tablePrefix = "\"" + name + "\".";
    return this;
  }

  /**
   * PostgreSQL: hear at once when another process stages something, on a connection of its own that
   * stays open; needs the PostgreSQL driver. Without it, and whenever that connection is down,
   * polling finds what others staged.
   *
   * @param url where to connect; must reach the same database, and past any pooler that shares
   *     sessions
   * @param properties of the driver, such as user, password and {@code socketTimeout} (which should
   *     be longer than the time between polls); copied
   */
  public DurableStoreBuilder listen(String url, Properties properties) {
    onlyPostgres("listen");
    Properties copy = new Properties();
    properties
        .stringPropertyNames()
        .forEach(key -> copy.setProperty(key, properties.getProperty(key)));
    this.listen = new DurableStoreConfig.Listen(Objects.requireNonNull(url, "url"), copy);
    return this;
  }

  /**
   * How often to look for due work that nothing told of; 5 s by default.
   *
   * @param interval 1 s to 15 s
   */
  public DurableStoreBuilder poll(Duration interval) {
    this.poll = OptionValue.within(StoreOptions.POLL, interval, SHORTEST_POLL, LONGEST_POLL);
    return this;
  }

  /**
   * How long the outbox remembers a key after it was settled; an hour by default. Its versions go
   * on rising when it is forgotten. Processes that share a store should agree.
   *
   * @param time at least a minute
   */
  public DurableStoreBuilder keepSettled(Duration time) {
    this.keepSettled =
        OptionValue.within(StoreOptions.KEEP_SETTLED, time, SHORTEST_KEEP, LONGEST_KEEP);
    return this;
  }

  /**
   * The monotonic clock for waits and limits; {@link System#nanoTime} by default. On SQLite it also
   * carries on the time of day from when the store was opened.
   *
   * @param ticker nanoseconds
   */
  public DurableStoreBuilder ticker(LongSupplier ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    return this;
  }

  /** Where the random part of waits comes from; used by several threads, one at a time. */
  public DurableStoreBuilder random(RandomGenerator random) {
    this.random = Objects.requireNonNull(random, "random");
    return this;
  }

  /**
   * Whom every transaction of the store asks first, also those that it begins itself, for a store
   * whose owner may lose it to another process. What callers stage on connections of their own is
   * not asked about. A store with a guard has one owner: whatever was claimed before it was opened
   * is due at once. By default nobody is asked.
   */
  public DurableStoreBuilder guard(TransactionGuard guard) {
    this.guard = Objects.requireNonNull(guard, "guard");
    return this;
  }

  /** For tests: another idea of what time it is for the store. */
  DurableStoreBuilder clock(StoreClock clock) {
    this.clock = clock;
    return this;
  }

  /** For tests: what is done with the SQLite connection goes through this. */
  DurableStoreBuilder watched(UnaryOperator<Connection> watched) {
    this.watched = watched;
    return this;
  }

  /**
   * Options as texts: {@code schema}, {@code inSchema}, {@code poll}, {@code keepSettled}.
   *
   * @throws OptionException if a key is no option or a text cannot be used
   */
  public DurableStoreBuilder properties(Map<String, String> texts) {
    new TreeMap<>(texts).forEach(this::property);
    return this;
  }

  private void property(String path, String text) {
    Option option = StoreOptions.byPath(path, StoreOptions.OF_STORE);
    if (option == StoreOptions.SCHEMA) {
      schema(OptionText.choice(option, text, SchemaMode.class));
    } else if (option == StoreOptions.IN_SCHEMA) {
      inSchema(text.strip());
    } else if (option == StoreOptions.POLL) {
      poll(OptionText.duration(option, text));
    } else {
      keepSettled(OptionText.duration(option, text));
    }
  }

  /**
   * Opens the store and sees to its tables.
   *
   * @throws DurableStoreException if the file is in use, the database cannot be reached, or the
   *     tables are not as they must be
   */
  public DurableStore open() {
    return DurableStore.open(
        new DurableStoreConfig(
            file,
            source,
            listen,
            tablePrefix,
            schema,
            poll,
            keepSettled,
            ticker,
            random,
            clock,
            guard,
            watched));
  }

  private void onlyPostgres(String option) {
    if (source == null) {
      throw new OptionException(option + " cannot be used: it is for a store on PostgreSQL");
    }
  }
}
