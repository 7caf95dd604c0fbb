package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Circuit;
import io.waymark.core.LiveView;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.Selector;
import io.waymark.core.Selectors;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all connections of one data source share: the endpoints, the view, the decision. Opened and
 * closed once.
 */
final class DataSourceRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataSourceRuntime.class);

  /** Between two questions about a transaction that has not ended. */
  private static final long FATE_PAUSE_MILLIS = 10;

  private final WaymarkDataSourceConfig config;
  private final Driver driver;
  private final Readings readings = new Readings();
  private final ScheduledThreadPoolExecutor housekeeper;
  private final List<Endpoint> endpoints;
  private final LiveView<ReplicaSetView> view;
  private final ReplicaRules rules;
  private final ReplicaSetDecider decider;
  private final Measurements measurements;
  private volatile boolean closed;

  /**
   * Opens nothing yet.
   *
   * @param driver opens the physical connections
   */
  DataSourceRuntime(WaymarkDataSourceConfig config, Driver driver) {
    this.config = config;
    this.driver = driver;
    this.housekeeper = housekeeper();
    this.rules = new ReplicaRules(config.routing(), config.ticker());
    List<EndpointConfig> all = new ArrayList<>();
    all.add(config.primary());
    all.addAll(config.replicas());
    Parts parts = new Parts();
    this.endpoints = all.stream().map(endpoint -> endpoint(endpoint, parts)).toList();
    this.view = new LiveView<>(ReplicaSetView.of(endpoints, config.routing().zone()));
    this.view.onChange(DataSourceRuntime::logPrimary);
    this.view.onChange(DataSourceRuntime::logSeveralServers);
    this.view.onChange(new Changes(config.onChange()));
    this.measurements = new Measurements(config.meters(), config.ticker());
    this.decider = new ReplicaSetDecider(config.routing(), config.single(), rules, this::selector);
  }

  private static void logPrimary(ReplicaSetView before, ReplicaSetView after) {
    if (!Objects.equals(before.withoutPrimary(), after.withoutPrimary())) {
      if (after.withoutPrimary() != null) {
        LOG.warn("there is no primary: {}", after.withoutPrimary());
      } else {
        LOG.info("there is a primary again");
      }
    }
    for (int i = 0; i < after.replicas().size(); i++) {
      String claim = after.claim(after.replicas().get(i));
      if (claim != null
          && after.withoutPrimary() == null
          && before.claim(before.replicas().get(i)) == null) {
        LOG.warn("{}; the newer timeline wins: it gets neither writes nor reads", claim);
      }
    }
  }

  private static void logSeveralServers(ReplicaSetView before, ReplicaSetView after) {
    for (int i = 0; i < after.nodes().size(); i++) {
      Node now = after.nodes().get(i);
      if (now.severalServers() == before.nodes().get(i).severalServers()) {
        continue;
      }
      if (now.severalServers()) {
        LOG.warn(
            "endpoint {}: its URL leads to several servers; what must see a position or keep within"
                + " a lag does not go there: configure each server",
            now);
      } else {
        LOG.info("endpoint {}: its URL has led to one server for a while", now);
      }
    }
  }

  private Endpoint endpoint(EndpointConfig endpoint, Parts parts) {
    return new Endpoint(endpoint, new Circuit(config.routing().probe(), config.ticker()), parts);
  }

  private final class Parts implements Endpoint.Parts {
    private PhysicalOpener opener(Endpoint endpoint) {
      return new PhysicalOpener(driver, config, endpoint.config());
    }

    @Override
    public EndpointPool pool(Endpoint endpoint) {
      return new EndpointPool(endpoint, config, opener(endpoint), readings, housekeeper);
    }

    @Override
    public EndpointMonitor monitor(Endpoint endpoint) {
      return new EndpointMonitor(endpoint, config, opener(endpoint), () -> view, readings);
    }
  }

  private static ScheduledThreadPoolExecutor housekeeper() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "waymark-pool-housekeeper");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  private Selector<Node> selector() {
    Select select = config.routing().select();
    if (select instanceof Select.Custom custom) {
      return new CustomSelector(custom.function(), rules, () -> view.current());
    }
    return switch ((Select.BuiltIn) select) {
      case WEIGHTED -> Selectors.weighted();
      case ROUND_ROBIN -> Selectors.roundRobin();
      case LEAST_CONNECTIONS -> Selectors.fewestInFlight();
      case LATENCY_AWARE -> Selectors.lowestLatency();
    };
  }

  /**
   * Starts the probes and waits for the first of each.
   *
   * @throws SQLException if the primary cannot be reached; a replica may be missing
   */
  void open() throws SQLException {
    if (config.existing().isPresent()) {
      return; // the caller's own: nothing of it is watched
    }
    List<CompletableFuture<Sighting>> first =
        endpoints.stream().map(endpoint -> endpoint.monitor().start()).toList();
    long deadline = config.ticker().getAsLong() + config.connectTimeout().toNanos();
    for (int i = 0; i < endpoints.size(); i++) {
      Exception failure = await(first.get(i), deadline);
      if (failure == null) {
        continue;
      }
      Endpoint endpoint = endpoints.get(i);
      if (endpoint.isPrimary()) {
        throw new SQLException(
            "endpoint primary cannot be reached: " + failure.getMessage(), "08001", failure);
      }
      LOG.warn("endpoint {} cannot be reached yet: {}", endpoint, failure.getMessage());
    }
  }

  private @Nullable Exception await(CompletableFuture<Sighting> sighting, long deadline)
      throws SQLException {
    try {
      sighting.get(Math.max(0, deadline - config.ticker().getAsLong()), TimeUnit.NANOSECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      return new SQLException(
          "no answer in " + config.connectTimeout().toMillis() + " ms", "08001", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while connecting", "57014", e);
    }
  }

  WaymarkDataSourceConfig config() {
    return config;
  }

  Readings readings() {
    return readings;
  }

  ReplicaSetView view() {
    return view.current();
  }

  Measurements measurements() {
    return measurements;
  }

  /** A session that has written nothing yet. */
  Watermark newWatermark() {
    return new Watermark(token -> view.swap(now -> now.losing(token)));
  }

  LiveView<ReplicaSetView> liveView() {
    return view;
  }

  /** Whether an operator keeps new reads away from this endpoint now. */
  boolean isDrained(Endpoint endpoint) {
    return view().nodes().get(endpoint.ordinal()).drained();
  }

  ReplicaSetDecider decider() {
    return decider;
  }

  ReplicaRules rules() {
    return rules;
  }

  List<Endpoint> endpoints() {
    return endpoints;
  }

  LongSupplier ticker() {
    return config.ticker();
  }

  /** The primary's URL without its parameters, which may hold credentials. */
  String shownUrl() {
    return "jdbc:postgresql://" + EndpointUrl.parse(PostgresOption.PRIMARY, config.primary().url());
  }

  /** Whether sessions keep a watermark. */
  boolean tracksWrites() {
    return config.routing().consistency() == Consistency.SESSION && !config.replicas().isEmpty();
  }

  /** What a read of this session must see. */
  Floor floor(Watermark watermark, ReplicaSetView current, long since) {
    if (!tracksWrites()) {
      return current.noDemand();
    }
    Floor floor = watermark.floor(current, since);
    if (config.routing().nudge() == Nudge.ON && current.isUnflushed(floor)) {
      endpoints.get(0).monitor().nudge();
    }
    if (current.lacksFork(floor)) {
      endpoints.get(0).monitor().findFork();
    }
    return floor;
  }

  /** What became of a transaction; unknown if it has not ended within one probe interval. */
  Fate fate(Endpoint endpoint, long xid, Object session) {
    long deadline = ticker().getAsLong() + config.routing().probe().toNanos();
    try {
      while (true) {
        Fate fate = Attempts.await(endpoint.monitor().fate(xid, session), deadline, ticker());
        if (fate == null) {
          return Fate.UNKNOWN;
        }
        if (fate != Fate.IN_PROGRESS) {
          return fate;
        }
        TimeUnit.MILLISECONDS.sleep(FATE_PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Fate.UNKNOWN;
    }
  }

  /** Marks the session dirty: a write is about to be sent, or has ended. */
  void dirty(Watermark watermark) {
    if (tracksWrites()) {
      watermark.dirty(readings.last());
    }
  }

  /** Counts the choice and tells the listener; what it throws is its own affair. */
  @SuppressWarnings("CatchThrowable") // an error of a listener is no reason to fail a call either
  void announce(Operation operation, String endpoint, String reason) {
    measurements.routed(operation, endpoint, reason);
    try {
      config.onRoute().accept(new RouteEvent(operation, endpoint, reason));
    } catch (Throwable e) {
      LOG.debug("onRoute threw; it is ignored", e);
    }
  }

  /** The error for a request that nobody may serve. */
  SQLException refusal(RouteRequest request, PostgresReason reason) {
    if (reason == PostgresReason.NO_PRIMARY) {
      return PostgresError.NO_PRIMARY.exception(
          "this operation needs the primary, and there is none" + because(view().withoutPrimary()),
          null);
    }
    if (request.operation() == Operation.LOCK && request.forced() == Role.REPLICA) {
      return PostgresError.NEEDS_PRIMARY.exception(
          "a locking read needs the primary; this connection is forced to a replica", null);
    }
    if (request.operation() != Operation.READ) {
      return PostgresError.NEEDS_PRIMARY.exception(
          "this operation needs the primary; this connection is forced to a replica", null);
    }
    if (request.forced() == Role.REPLICA) {
      return PostgresError.NO_REPLICA.exception(
          "no replica may serve this read ("
              + reason.word()
              + "), and it must not read the primary"
              + unfitReplicas(reason),
          null);
    }
    return PostgresError.NO_REPLICA_NO_FALLBACK.exception(
        "no replica may serve this read ("
            + reason.word()
            + ") and routing.fallback is error"
            + unfitReplicas(reason),
        null);
  }

  private static String because(@Nullable String why) {
    return why == null ? "" : ": " + why;
  }

  /** What keeps each replica out, where that is why nobody serves. */
  private String unfitReplicas(PostgresReason reason) {
    if (reason != PostgresReason.FALLBACK_UNHEALTHY) {
      return "";
    }
    ReplicaSetView now = view();
    StringBuilder text = new StringBuilder();
    for (Node node : now.replicas()) {
      String why = now.ineligible(node);
      if (why != null) {
        text.append("; ").append(node).append(": ").append(why);
      }
    }
    return text.toString();
  }

  void checkOpen() throws SQLException {
    if (closed) {
      throw PostgresError.CLOSED.exception("the data source is closed", null);
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Stops the probes and closes the pools, in reverse order. Idempotent. */
  @Override
  public void close() {
    closed = true;
    for (int i = endpoints.size() - 1; i >= 0; i--) {
      endpoints.get(i).monitor().stop();
    }
    for (int i = endpoints.size() - 1; i >= 0; i--) {
      endpoints.get(i).monitor().close();
      endpoints.get(i).pool().close();
    }
    housekeeper.shutdownNow();
    boolean interrupted = Thread.interrupted();
    try {
      housekeeper.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
