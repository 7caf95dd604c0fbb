package io.waymark.objects;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import io.waymark.core.SchemaMode;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@link NamedObjects}. Nothing is opened before {@link #build()}. Not thread safe.
 *
 * <p>Every method throws {@link OptionException} for a value that cannot be used.
 *
 * @param <T> the objects
 */
public final class NamedObjectsBuilder<T> {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration LONGEST_LEASE = Duration.ofHours(1);
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

  final ObjectFactory<? extends T> factory;
  private final @Nullable Path folder;
  private final @Nullable DataSource source;
  private final String collection;
  private @Nullable String schema;
  private SchemaMode schemaMode = SchemaMode.CREATE;
  private UnaryOperator<DurableStoreBuilder> stores = UnaryOperator.identity();
  private Duration lease = ObjectOptions.duration(ObjectOptions.LEASE);
  private String clock = LeaseTable.SERVER_CLOCK;
  Predicate<? super T> busy = object -> false;
  Duration idleAfter = ObjectOptions.duration(ObjectOptions.IDLE_AFTER);
  Duration closeWait = ObjectOptions.duration(ObjectOptions.CLOSE_WAIT);
  int maxOpen = Integer.parseInt(ObjectOptions.MAX_OPEN.defaultText());
  LongSupplier ticker = System::nanoTime;

  NamedObjectsBuilder(
      @Nullable Path folder,
      @Nullable DataSource source,
      String collection,
      ObjectFactory<? extends T> factory) {
    this.folder = folder;
    this.source = source;
    this.collection = collection;
    this.factory = Objects.requireNonNull(factory, "factory");
  }

  /**
   * How long an object stays open that nobody calls and that has no work; a minute by default.
   *
   * @param time 1 ms to a day
   */
  public NamedObjectsBuilder<T> idleAfter(Duration time) {
    this.idleAfter =
        OptionValue.within(ObjectOptions.IDLE_AFTER, time, Duration.ofMillis(1), LONGEST);
    return this;
  }

  /**
   * How many objects are open at once; 256 by default. Room for another is made by closing the one
   * that was unused for longest.
   */
  public NamedObjectsBuilder<T> maxOpen(int most) {
    this.maxOpen = OptionValue.positive(ObjectOptions.MAX_OPEN, most);
    return this;
  }

  /**
   * Says whether an object has work of its own, such as deliveries that are pending: then it is not
   * closed although nobody calls it, except by {@link NamedObjects#close}. Asked when it has been
   * idle, with no lock held. By default none has.
   */
  public NamedObjectsBuilder<T> keepOpenWhile(Predicate<? super T> hasWork) {
    this.busy = Objects.requireNonNull(hasWork, "hasWork");
    return this;
  }

  /**
   * PostgreSQL: how long a process owns a name without renewing that; 15 s by default. It renews
   * three times as often. A process that dies keeps its names for at most as long.
   *
   * @param time 100 ms to an hour
   */
  public NamedObjectsBuilder<T> lease(Duration time) {
    onlyPostgres("lease");
    this.lease = OptionValue.within(ObjectOptions.LEASE, time, SHORTEST_LEASE, LONGEST_LEASE);
    return this;
  }

  /**
   * PostgreSQL: the schema of the table of names; it must exist. By default the first one of each
   * connection's {@code search_path}. What objects store is in schemas of their own.
   *
   * @param name lower-case letters, digits and {@code _}
   */
  public NamedObjectsBuilder<T> inSchema(String name) {
    onlyPostgres("inSchema");
    this.schema = Objects.requireNonNull(name, "name");
    return this;
  }

  /**
   * What to do about the tables of names and of each store; {@link SchemaMode#CREATE} by default.
   * On PostgreSQL the schema of a name that was never used is made in any case.
   */
  public NamedObjectsBuilder<T> schema(SchemaMode mode) {
    this.schemaMode = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * Further options of each object's store, such as {@code store -> store.poll(…)}. Those that say
   * where it is and who may use it are set afterwards.
   */
  public NamedObjectsBuilder<T> eachStore(UnaryOperator<DurableStoreBuilder> options) {
    this.stores = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * How long {@link NamedObjects#close} waits for calls; 10 s by default.
   *
   * @param time at most a day
   */
  public NamedObjectsBuilder<T> closeWait(Duration time) {
    this.closeWait = OptionValue.within(ObjectOptions.CLOSE_WAIT, time, Duration.ZERO, LONGEST);
    return this;
  }

  /**
   * The monotonic clock, also that of the stores; {@link System#nanoTime} by default.
   *
   * @param ticker nanoseconds
   */
  public NamedObjectsBuilder<T> ticker(LongSupplier ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    return this;
  }

  /** For tests: another idea of what time it is for the leases. */
  NamedObjectsBuilder<T> clock(String sql) {
    this.clock = sql;
    return this;
  }

  /**
   * Options in text form: {@code idleAfter}, {@code maxOpen}, {@code lease}, {@code closeWait}.
   *
   * @throws OptionException if a key is no option or a text cannot be used
   */
  public NamedObjectsBuilder<T> properties(Map<String, String> texts) {
    new TreeMap<>(texts).forEach(this::property);
    return this;
  }

  private void property(String path, String text) {
    Option option =
        ObjectOptions.ALL.stream()
            .filter(each -> each.path().equals(path))
            .findFirst()
            .orElseThrow(
                () ->
                    OptionException.unknown(
                        path, ObjectOptions.ALL.stream().map(Option::path).toList()));
    if (option == ObjectOptions.MAX_OPEN) {
      maxOpen(OptionText.positiveInt(option, text));
    } else if (option == ObjectOptions.IDLE_AFTER) {
      idleAfter(OptionText.duration(option, text));
    } else if (option == ObjectOptions.LEASE) {
      lease(OptionText.duration(option, text));
    } else {
      closeWait(OptionText.duration(option, text));
    }
  }

  private void onlyPostgres(String option) {
    if (source == null) {
      throw new OptionException(option + " cannot be used: it is for objects on PostgreSQL");
    }
  }

  /**
   * Opens what all names share; no object yet.
   *
   * @throws OptionException if the folder does not exist
   * @throws io.waymark.durable.DurableStoreException if the database cannot be reached, or its
   *     tables are not as they must be
   */
  public NamedObjects<T> build() {
    return new NamedObjects<>(this, source == null ? folderHome() : leaseHome(source));
  }

  private Home folderHome() {
    Path in = Objects.requireNonNull(folder);
    if (!Files.isDirectory(in)) {
      throw new OptionException("there is no folder " + in + " for the objects; create it first");
    }
    return new FolderHome(in, store -> stores.apply(store).schema(schemaMode).ticker(ticker));
  }

  private Home leaseHome(DataSource from) {
    DurableStoreBuilder shared = DurableStore.postgres(from).schema(schemaMode).ticker(ticker);
    DurableStore leases = (schema == null ? shared : shared.inSchema(schema)).open();
    try {
      leases.migrate(FolderHome.TABLES);
      return new LeaseHome(
          leases,
          () -> DurableStore.postgres(from),
          store -> stores.apply(store).schema(schemaMode).ticker(ticker),
          collection,
          lease,
          clock);
    } catch (RuntimeException | Error e) {
      leases.close();
      throw e;
    }
  }
}
