package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Decision;
import io.waymark.core.Operation;
import io.waymark.core.Reason;
import io.waymark.core.RouteDecision;
import io.waymark.core.Tried;
import java.sql.SQLException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a call through the same decision and evidence as a statement, and sends nothing: the answer
 * is the decision itself.
 */
final class Inspection implements Attempts.Journey<Node, RouteDecision, SQLException> {
  private final DataSourceRuntime runtime;
  private final Watermark watermark;
  private final RouteRequest request;
  private final long since;
  private final long started;

  Inspection(DataSourceRuntime runtime, Watermark watermark, RouteRequest request) {
    this.runtime = runtime;
    this.watermark = watermark;
    this.request = request;
    this.since = runtime.readings().last();
    this.started = runtime.ticker().getAsLong();
  }

  RouteDecision run() throws SQLException {
    try {
      return Attempts.run(this);
    } catch (Nobody nobody) {
      return runtime
          .decider()
          .explain(request, runtime.view(), floor(), null, nobody.reason.text(""));
    }
  }

  /** Nobody may serve: an answer like any other here. */
  private static final class Nobody extends SQLException {
    private static final long serialVersionUID = 1;
    private final transient Reason reason;

    Nobody(Reason reason) {
      this.reason = reason;
    }
  }

  private Floor floor() {
    return request.operation() == Operation.READ
        ? runtime.floor(watermark, runtime.view(), since)
        : Floor.NONE;
  }

  @Override
  public Decision<Node> decide(Tried tried) {
    return runtime.decider().preview(request, runtime.view(), floor(), tried);
  }

  @Override
  public CompletionStage<?> evidence(Node node) {
    return node.endpoint().monitor().ask(watermark.token());
  }

  @Override
  public RouteDecision carry(Decision.Chosen<Node> chosen) {
    return runtime
        .decider()
        .explain(request, runtime.view(), floor(), chosen.member(), chosen.reasonText());
  }

  @Override
  public Class<SQLException> failureType() {
    return SQLException.class;
  }

  @Override
  public Attempts.Verdict judge(Node node, SQLException failure, Tried tried) {
    return Attempts.Verdict.GIVE_UP;
  }

  @Override
  public SQLException refused(Reason reason, @Nullable SQLException failure) {
    return new Nobody(reason);
  }

  @Override
  public SQLException interrupted(InterruptedException cause) {
    return new SQLException("interrupted while waiting for evidence", "57014", cause);
  }

  @Override
  public long deadline() {
    return started + runtime.config().routing().probe().toNanos();
  }

  @Override
  public LongSupplier ticker() {
    return runtime.ticker();
  }
}
