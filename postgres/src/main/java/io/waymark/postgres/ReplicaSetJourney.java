package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Operation;
import java.sql.SQLException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all requests to a replica set share on their way through {@link Attempts}: what a read must
 * see, and how evidence is got.
 *
 * @param <R> what comes of the request
 */
abstract class ReplicaSetJourney<R> implements Attempts.Journey<Node, R, SQLException> {
  private final DataSourceRuntime runtime;
  private final Watermark watermark;
  private final RouteRequest request;
  private final long since;
  private final long started;

  ReplicaSetJourney(DataSourceRuntime runtime, Watermark watermark, RouteRequest request) {
    this.runtime = runtime;
    this.watermark = watermark;
    this.request = request;
    this.since = runtime.readings().last();
    this.started = runtime.ticker().getAsLong();
  }

  final DataSourceRuntime runtime() {
    return runtime;
  }

  final RouteRequest request() {
    return request;
  }

  /** When the request set out, on the ticker. */
  final long started() {
    return started;
  }

  final boolean isRead() {
    return request.operation() == Operation.READ;
  }

  /** What the request must see. */
  final Floor floor(ReplicaSetView view) {
    return isRead() ? runtime.floor(watermark, view, since) : view.noDemand();
  }

  /** Asks a replica whether it has what the session wrote, or the primary where that stands. */
  @Override
  public final CompletionStage<Sighting> evidence(Node node) {
    runtime.measurements().asked(node.name());
    @Nullable Token token = node.endpoint().isPrimary() ? null : watermark.token();
    return node.endpoint().monitor().ask(token);
  }

  @Override
  public final long deadline() {
    return started + runtime.config().routing().probe().toNanos();
  }

  @Override
  public final LongSupplier ticker() {
    return runtime.ticker();
  }

  @Override
  public final Class<SQLException> failureType() {
    return SQLException.class;
  }

  @Override
  public final SQLException interrupted(InterruptedException cause) {
    return new SQLException("interrupted while waiting for evidence", "57014", cause);
  }
}
