package io.waymark.postgres;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariConfig;
import io.waymark.core.Meters;
import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Configures a {@link WaymarkDataSource}.
 *
 * <p>A primary is the only thing that must be given, or instead of it a lone endpoint with {@link
 * #single(String)}. Each method checks its value at once and returns this builder; what concerns
 * several values, such as repeated names, is checked by {@link #config} and {@link #connect} before
 * anything is opened. A value that cannot be used is an {@link OptionException} that names the
 * option, shows the value unless it may be a secret, and says what is accepted. Where an option is
 * given twice the later value counts.
 *
 * <p>Every option also has a text form, see {@link #properties(Map)} and {@link PostgresOption};
 * both forms are read by the same parsers. Not thread safe.
 */
public final class WaymarkDataSourceBuilder {
  private final List<ReplicaBuilder> replicas = new ArrayList<>();
  private final RoutingBuilder routing = new RoutingBuilder();
  private @Nullable String primary;
  private @Nullable String single;
  private @Nullable DataSource existing;
  private @Nullable String user;
  private @Nullable Supplier<String> password;
  private @Nullable Integer max;
  private @Nullable Duration acquireTimeout;
  private @Nullable Duration connectTimeout;
  private final Map<String, String> driverProperties = new TreeMap<>();
  private Pooler pooler = Pooler.NONE;
  private @Nullable Consumer<HikariConfig> pool;
  private Consumer<RouteEvent> onRoute = event -> {};
  private Consumer<EndpointEvent> onChange = event -> {};
  private Meters meters = Meters.NONE;
  private LongSupplier ticker = System::nanoTime;
  private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

  WaymarkDataSourceBuilder() {}

  /**
   * The server that takes the writes; its endpoint is named {@code primary}. There is no default.
   *
   * @param url a {@code jdbc:postgresql:} URL with one host; it may hold credentials, which then
   *     win over {@link #user} and {@link #password(String)}, and is never shown
   * @throws OptionException if it is null, empty, no such URL, or names several hosts
   */
  public WaymarkDataSourceBuilder primary(String url) {
    EndpointUrl.parse(PostgresOption.PRIMARY, url);
    this.primary = url;
    return this;
  }

  /**
   * Adds a replica with weight 1, the common pool size, and a name by its place: {@code replica-1}
   * for the first.
   *
   * @param url as for {@link #primary}
   * @throws OptionException if it is null, empty, no such URL, or names several hosts
   */
  public WaymarkDataSourceBuilder replica(String url) {
    return replica(replica -> replica.url(url));
  }

  /**
   * Adds a replica. If the function throws, none is added.
   *
   * @param replica gives at least {@link ReplicaBuilder#url}
   * @throws OptionException if the URL was not given
   */
  public WaymarkDataSourceBuilder replica(Consumer<ReplicaBuilder> replica) {
    ReplicaBuilder builder = new ReplicaBuilder(replicas.size());
    replica.accept(builder);
    replicas.add(builder.complete());
    return this;
  }

  /**
   * A lone endpoint that serves writes and reads, instead of a primary and its replicas. It needs
   * no probes and no positions, and routing options have no effect.
   *
   * @param url as for {@link #primary}
   * @throws OptionException if it is null, empty, no such URL, or names several hosts
   */
  public WaymarkDataSourceBuilder single(String url) {
    EndpointUrl.parse(PostgresOption.SINGLE, url);
    this.single = url;
    return this;
  }

  /**
   * The caller's own data source as the lone endpoint. It is not closed with ours. User, password,
   * pool size and timeouts are then its own and cannot be given here.
   */
  public WaymarkDataSourceBuilder single(DataSource existing) {
    this.existing = requireNonNull(existing, "existing");
    return this;
  }

  /**
   * The login role on every endpoint whose URL names none; by default the driver's own rules apply.
   *
   * @throws OptionException if it is null or empty
   */
  public WaymarkDataSourceBuilder user(String user) {
    this.user = OptionValue.name(PostgresOption.USER, given(PostgresOption.USER, user));
    return this;
  }

  /**
   * The password of {@link #user}; by default, and if it is empty, none. It is never shown.
   *
   * @throws OptionException if it is null
   */
  public WaymarkDataSourceBuilder password(String password) {
    String fixed = given(PostgresOption.PASSWORD, password);
    return password(() -> fixed);
  }

  /**
   * A password that may change: the supplier is asked for every new connection, from several
   * threads. What it returns is never shown.
   */
  public WaymarkDataSourceBuilder password(Supplier<String> password) {
    this.password = requireNonNull(password, "password");
    return this;
  }

  /**
   * The most connections of each endpoint's pool; 10 by default. A replica may have its own with
   * {@link ReplicaBuilder#poolMax}.
   *
   * @throws OptionException if it is less than 1
   */
  public WaymarkDataSourceBuilder max(int max) {
    this.max = OptionValue.positive(PostgresOption.MAX, max);
    return this;
  }

  /**
   * How long a call waits for a connection of the chosen endpoint before it fails with WM1846; 30
   * seconds by default.
   *
   * @throws OptionException if it is shorter than 250 milliseconds, which is the shortest that the
   *     pool can wait, or longer than 24 days
   */
  public WaymarkDataSourceBuilder acquireTimeout(Duration timeout) {
    this.acquireTimeout = WaymarkDataSourceConfig.checkAcquireTimeout(timeout);
    return this;
  }

  /**
   * As {@link #acquireTimeout(Duration)}, as text.
   *
   * @param text such as {@code 30s}, {@code 500ms} or {@code 1m}
   * @throws OptionException if it is no duration, shorter than 250 milliseconds, or longer than 24
   *     days
   */
  public WaymarkDataSourceBuilder acquireTimeout(String text) {
    return acquireTimeout(OptionText.waitTime(PostgresOption.ACQUIRE_TIMEOUT, text));
  }

  /**
   * How long opening one connection may take; 5 seconds by default, which survives two lost packets
   * (sent again after 1 and 3 seconds, RFC 6298).
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public WaymarkDataSourceBuilder connectTimeout(Duration timeout) {
    this.connectTimeout = OptionValue.waitTime(PostgresOption.CONNECT_TIMEOUT, timeout);
    return this;
  }

  /**
   * As {@link #connectTimeout(Duration)}, as text.
   *
   * @param text such as {@code 5s}, {@code 500ms} or {@code 1m}
   * @throws OptionException if it is no duration, not positive, or longer than 24 days
   */
  public WaymarkDataSourceBuilder connectTimeout(String text) {
    return connectTimeout(OptionText.waitTime(PostgresOption.CONNECT_TIMEOUT, text));
  }

  /**
   * A property of the PostgreSQL driver, for every connection of every endpoint, the probes'
   * included: {@code sslmode}, {@code sslrootcert}, {@code ApplicationName}, {@code options},
   * {@code socketTimeout} and so on. By default the driver's own defaults apply. One in an
   * endpoint's URL wins. Its value is not shown where it may be a secret.
   *
   * <p>{@code socketTimeout} is how long a server may stay silent in the middle of a statement
   * before the connection counts as broken, and a read is sent again elsewhere; probes have their
   * own.
   *
   * @param name as the driver spells it; whether the driver knows it is checked when the
   *     configuration is complete, because a {@code socketFactory} or {@code sslfactory} may know
   *     more
   * @throws OptionException if it is null, if Waymark decides it itself, as with {@code
   *     targetServerType}, or if the driver would not take the value
   */
  public WaymarkDataSourceBuilder property(String name, String value) {
    driverProperties.put(name, DriverProperty.check(name, value));
    return this;
  }

  /**
   * Sets what else is to be set on each pool: the function is called once for each HikariCP pool,
   * after Waymark's own settings, when the data source opens and before any connection does. There
   * is one pool per endpoint, named {@code waymark-} and the endpoint's name, and a second one for
   * reads on the primary. For {@code minimumIdle} (0 here), {@code idleTimeout}, {@code
   * maxLifetime}, {@code keepaliveTime}, {@code leakDetectionThreshold}, {@code connectionInitSql},
   * {@code metricsTrackerFactory} and the like. By default nothing is changed.
   *
   * <p>What Waymark relies on is checked afterwards, and {@link #connect} refuses it with an {@link
   * OptionException} if it was changed: where connections come from and as whom, {@code
   * maximumPoolSize} (see {@link #max}), {@code connectionTimeout} (see {@link
   * #acquireTimeout(Duration)}), {@code autoCommit}, {@code readOnly}, {@code exceptionOverride}
   * and a few more.
   */
  public WaymarkDataSourceBuilder pool(Consumer<HikariConfig> settings) {
    this.pool = requireNonNull(settings, "settings");
    return this;
  }

  /** What stands between here and the servers; by default nothing that needs to be known. */
  public WaymarkDataSourceBuilder pooler(Pooler pooler) {
    this.pooler = requireNonNull(pooler, "pooler");
    return this;
  }

  /**
   * As {@link #pooler(Pooler)}, as text.
   *
   * @param text {@code none} or {@code transaction}
   * @throws OptionException if it is another word
   */
  public WaymarkDataSourceBuilder pooler(String text) {
    return pooler(OptionText.choice(PostgresOption.POOLER, text, Pooler.class));
  }

  /** How reads are routed. What the function does not set stays as it was. */
  public WaymarkDataSourceBuilder routing(Consumer<RoutingBuilder> routing) {
    routing.accept(this.routing);
    return this;
  }

  /**
   * Called after an endpoint was chosen, on the calling thread, which it must not block; by default
   * nothing is. What it throws is logged and ignored: the call still runs.
   */
  public WaymarkDataSourceBuilder onRoute(Consumer<RouteEvent> listener) {
    this.onRoute = requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Called when what is believed of an endpoint has changed, such as its circuit or its role, or
   * what an operator asks of it; by default nothing is. The listener runs on the thread that
   * noticed the change, which may be a caller's: keep it short. What it throws is logged and
   * ignored. A lone {@code DataSource} of the caller's is not watched and has no such events but an
   * operator's.
   */
  public WaymarkDataSourceBuilder onChange(Consumer<EndpointEvent> listener) {
    this.onChange = requireNonNull(listener, "listener");
    return this;
  }

  /** Where calls are counted and timed; by default nowhere. See {@link MeterNames}. */
  public WaymarkDataSourceBuilder meters(Meters meters) {
    this.meters = requireNonNull(meters, "meters");
    return this;
  }

  /** Monotonic nanoseconds, read from several threads; {@link System#nanoTime} by default. */
  public WaymarkDataSourceBuilder ticker(LongSupplier ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /** Spreads probes and delays; used from several threads; by default each thread's own. */
  public WaymarkDataSourceBuilder random(RandomGenerator random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /**
   * Sets options from text: keys are the paths of {@link PostgresOption} with an index for each
   * replica, such as {@code replicas[0].url} or {@code routing.maxLag}. Replicas count from 0
   * without a gap and cannot be mixed with replicas that were added before. What follows {@code
   * properties.} is a {@link #property} of the driver. White space around a value is ignored,
   * except in a password.
   *
   * @throws OptionException if a key is unknown, in which case the nearest known one is suggested,
   *     or a value cannot be used
   */
  public WaymarkDataSourceBuilder properties(Map<String, String> properties) {
    OptionProperties.of(properties).applyTo(this);
    return this;
  }

  /**
   * As {@link #properties(Map)}; defaults of the properties count too.
   *
   * @throws OptionException also if a key or a value is not text
   */
  public WaymarkDataSourceBuilder properties(Properties properties) {
    return properties(OptionProperties.texts(properties));
  }

  /**
   * Checks everything and returns the immutable configuration. Nothing is opened.
   *
   * @throws OptionException if something is missing, or does not go together
   */
  public WaymarkDataSourceConfig config() {
    checkOneShape();
    int common =
        max == null ? OptionText.positiveInt(PostgresOption.MAX, initial(PostgresOption.MAX)) : max;
    return new WaymarkDataSourceConfig(
        new EndpointConfig(EndpointConfig.PRIMARY, 0, primaryUrl(), 1, common, null),
        replicas.stream().map(replica -> replica.config(common)).toList(),
        single != null || existing != null,
        Optional.ofNullable(existing),
        Optional.ofNullable(user),
        Optional.ofNullable(password),
        timeout(PostgresOption.ACQUIRE_TIMEOUT, acquireTimeout),
        timeout(PostgresOption.CONNECT_TIMEOUT, connectTimeout),
        routing.config(),
        checkedProperties(),
        pooler,
        pool == null ? config -> {} : pool,
        onRoute,
        onChange,
        meters,
        ticker,
        random);
  }

  /**
   * Checks everything, then opens the data source.
   *
   * @throws OptionException if something is missing, or does not go together; nothing was opened
   * @throws SQLException if opening failed; everything that was opened is closed again
   */
  public WaymarkDataSource connect() throws SQLException {
    return WaymarkDataSource.connect(config(), new Driver());
  }

  int replicaCount() {
    return replicas.size();
  }

  /** Sets one option, which is none of a replica, from its text. */
  void set(PostgresOption option, String text) {
    switch (option) {
      case PRIMARY -> primary(text);
      case SINGLE -> single(text);
      case USER -> user(text);
      case PASSWORD -> password(text);
      case MAX -> max(OptionText.positiveInt(option, text));
      case ACQUIRE_TIMEOUT -> acquireTimeout(text);
      case CONNECT_TIMEOUT -> connectTimeout(text);
      case POOLER -> pooler(text);
      case ROUTING_PROBE -> routing.probe(text);
      case ROUTING_SELECT -> routing.select(text);
      case ROUTING_CONSISTENCY -> routing.consistency(text);
      case ROUTING_FALLBACK -> routing.fallback(text);
      case ROUTING_NUDGE -> routing.nudge(text);
      case ROUTING_ZONE -> routing.zone(text);
      case ROUTING_MAX_LAG -> routing.maxLag(text);
      default -> throw new IllegalStateException(option + " is not one option of the whole");
    }
  }

  private String primaryUrl() {
    if (existing != null) {
      return "";
    }
    return single != null ? single : given(PostgresOption.PRIMARY, primary);
  }

  private void checkOneShape() {
    boolean lone = single != null || existing != null;
    if (single != null && existing != null) {
      throw new OptionException("single was given as a URL and as a DataSource: give one of them");
    }
    if (lone && (primary != null || !replicas.isEmpty())) {
      throw new OptionException(
          "single is a lone endpoint: give either single, or primary and replicas");
    }
    if (existing != null) {
      refuseOwn(PostgresOption.USER, user);
      refuseOwn(PostgresOption.PASSWORD, password);
      refuseOwn(PostgresOption.MAX, max);
      refuseOwn(PostgresOption.ACQUIRE_TIMEOUT, acquireTimeout);
      refuseOwn(PostgresOption.CONNECT_TIMEOUT, connectTimeout);
      driverProperties.keySet().stream()
          .findFirst()
          .ifPresent(name -> refuseOwn(new DriverProperty(name), name));
      refuseOwn(PostgresOption.POOLER, pooler == Pooler.NONE ? null : pooler);
      if (pool != null) {
        throw new OptionException("pool has no effect on a DataSource of your own: set it there");
      }
    }
  }

  private static void refuseOwn(Option option, @Nullable Object value) {
    if (value != null) {
      throw new OptionException(
          option.path() + " has no effect on a DataSource of your own: set it there");
    }
  }

  private Map<String, String> checkedProperties() {
    DriverProperty.checkTogether(driverProperties);
    return driverProperties;
  }

  private static Duration timeout(PostgresOption option, @Nullable Duration given) {
    return given == null ? OptionText.waitTime(option, initial(option)) : given;
  }

  private static String initial(PostgresOption option) {
    return option.defaultText();
  }

  /** Null is what an environment variable that is not set looks like. */
  private static String given(PostgresOption option, @Nullable String value) {
    if (value == null) {
      throw OptionException.missing(option);
    }
    return value;
  }

  /** The number of replicas; nothing that may be a secret. */
  @Override
  public String toString() {
    return "WaymarkDataSourceBuilder[replicas=" + replicas.size() + "]";
  }
}
