package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Decision;
import io.waymark.core.Reason;
import io.waymark.core.RouteDecision;
import io.waymark.core.Tried;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Takes a call through the same decision and evidence as a statement, and sends nothing: the answer
 * is the decision itself.
 */
final class Inspection extends ReplicaSetJourney<RouteDecision> {
  Inspection(DataSourceRuntime runtime, Watermark watermark, RouteRequest request) {
    super(runtime, watermark, request);
  }

  RouteDecision run() throws SQLException {
    try {
      return Attempts.run(this);
    } catch (Nobody nobody) {
      return explained(null, nobody.reason.text(""));
    }
  }

  private RouteDecision explained(@Nullable Node chosen, String reason) {
    ReplicaSetView view = runtime().view();
    return runtime().decider().explain(request(), floor(view), chosen, reason);
  }

  /** Nobody may serve: an answer like any other here. */
  private static final class Nobody extends SQLException {
    private static final long serialVersionUID = 1;
    private final transient Reason reason;

    Nobody(Reason reason) {
      this.reason = reason;
    }
  }

  @Override
  public Decision<Node> decide(Tried tried) {
    ReplicaSetView view = runtime().view();
    return runtime().decider().preview(request(), floor(view), tried);
  }

  @Override
  public RouteDecision carry(Decision.Chosen<Node> chosen) {
    return explained(chosen.member(), chosen.reasonText());
  }

  @Override
  public Attempts.Verdict judge(Node node, SQLException failure, Tried tried) {
    return Attempts.Verdict.GIVE_UP;
  }

  @Override
  public SQLException refused(Reason reason, @Nullable SQLException failure) {
    return new Nobody(reason);
  }
}
