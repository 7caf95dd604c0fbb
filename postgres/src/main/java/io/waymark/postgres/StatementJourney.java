package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Decision;
import io.waymark.core.Operation;
import io.waymark.core.Reason;
import io.waymark.core.Role;
import io.waymark.core.Tried;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One statement's way to a server and back: what {@link Attempts} asks of this product.
 *
 * <p>Sent again is only a read that was not part of a transaction yet, whose parameters can be sent
 * again, and that failed before it delivered anything, because its connection broke or a standby
 * cancelled it to go on replaying. Anything may be tried again that was never sent.
 *
 * @param <R> what the statement returns
 */
final class StatementJourney<R> implements Attempts.Journey<Node, R, SQLException> {
  private final RoutedConnection connection;
  private final DataSourceRuntime runtime;
  private final RouteRequest request;
  private final SqlTraits traits;
  private final boolean resendable;
  private final Work<Binding, R> work;
  private final long since;
  private final long started;
  private boolean sent;

  StatementJourney(
      RoutedConnection connection,
      RouteRequest request,
      SqlTraits traits,
      boolean resendable,
      Work<Binding, R> work) {
    this.connection = connection;
    this.runtime = connection.runtime();
    this.request = request;
    this.traits = traits;
    this.resendable = resendable;
    this.work = work;
    this.since = runtime.readings().last();
    this.started = runtime.ticker().getAsLong();
  }

  // ---- deciding

  @Override
  public Decision<Node> decide(Tried tried) {
    ReplicaSetView view = runtime.view();
    Floor floor = floor(view);
    Binding held = connection.binding();
    Decision<Node> here = held == null ? null : here(held, view, floor, tried);
    return here != null ? here : runtime.decider().decide(request, view, floor, tried);
  }

  private Floor floor(ReplicaSetView view) {
    return isRead() ? runtime.floor(connection.watermark(), view, since) : Floor.NONE;
  }

  private boolean isRead() {
    return request.operation() == Operation.READ;
  }

  /** What becomes of the connection that is held: null to decide anew and let go of it. */
  private @Nullable Decision<Node> here(
      Binding held, ReplicaSetView view, Floor floor, Tried tried) {
    Node node = view.nodes().get(held.endpoint().ordinal());
    String tied = connection.tiedBy();
    if (tried.hasFailed(node)) {
      return tied == null ? null : new Decision.Refused<>(held.reason());
    }
    boolean mayStay =
        !held.isBroken() && !held.declaredOtherwise() && serves(held, node, view, floor);
    if (mayStay) {
      return new Decision.Chosen<>(node, held.reason());
    }
    if (tied == null) {
      return null;
    }
    if (!isRead() || held.endpoint().isPrimary() || held.isBroken()) {
      // The server has the last word; where the connection broke, the driver says so.
      return new Decision.Chosen<>(node, held.reason());
    }
    if (!floor.resolved() && !tried.wasAsked(view.primary())) {
      return new Decision.NeedsEvidence<>(view.primary());
    }
    return tried.wasAsked(node)
        ? new Decision.Refused<>(PostgresReason.FALLBACK_BEHIND)
        : new Decision.NeedsEvidence<>(node);
  }

  private boolean serves(Binding held, Node node, ReplicaSetView view, Floor floor) {
    if (!isRead()) {
      return held.endpoint().isPrimary()
          && held.lease().kind() == EndpointPool.Kind.MAIN
          && view.withoutPrimary() == null;
    }
    if (held.endpoint().isPrimary()) {
      return !held.reason().isFallback() && view.withoutPrimary() == null;
    }
    return request.forced() != Role.PRIMARY
        && !request.primaryOnly()
        && runtime.decider().admits(node, view, floor);
  }

  // ---- evidence

  @Override
  public CompletionStage<?> evidence(Node node) {
    return node.endpoint().monitor().ask(connection.watermark().token());
  }

  @Override
  public long deadline() {
    return started + runtime.config().routing().probe().toNanos();
  }

  @Override
  public LongSupplier ticker() {
    return runtime.ticker();
  }

  // ---- carrying

  @Override
  public R carry(Decision.Chosen<Node> chosen) throws SQLException {
    Node node = chosen.member();
    PostgresReason reason = (PostgresReason) chosen.reason();
    runtime.announce(request.operation(), node.name(), reason.text(node.name()));
    node.vitals().started();
    sent = false;
    try {
      Binding binding = bind(node, reason);
      sent = true;
      return binding.run(request.operation(), traits, work);
    } finally {
      node.vitals().finished();
    }
  }

  private Binding bind(Node node, PostgresReason reason) throws SQLException {
    Binding held = connection.binding();
    if (held != null && staysOn(held, node)) {
      vouch(held.lease(), node);
      return held;
    }
    if (held != null) {
      connection.bind(null); // given back before another pool is waited on
      held.release();
    }
    EndpointPool.Kind kind =
        isRead() && connection.settings().autoCommit && node.endpoint().isPrimary()
            ? EndpointPool.Kind.READ_ONLY
            : EndpointPool.Kind.MAIN;
    EndpointPool.Lease lease =
        node.endpoint()
            .pool()
            .acquire(
                kind,
                isRead() && reason.isFallback(),
                new EndpointPool.Patience(
                    started + runtime.config().acquireTimeout().toNanos(),
                    !isRead(),
                    () -> isPointless(node)));
    boolean bound = false;
    try {
      vouch(lease, node);
      Binding binding = new Binding(connection, lease, reason);
      connection.bind(binding);
      bound = true;
      return binding;
    } finally {
      if (!bound) {
        lease.release();
      }
    }
  }

  private boolean staysOn(Binding held, Node node) {
    return held.endpoint() == node.endpoint()
        && (connection.tiedBy() != null || (!held.isBroken() && !held.declaredOtherwise()));
  }

  private boolean isPointless(Node node) {
    return runtime.isClosed() || (!node.endpoint().isPrimary() && node.vitals().circuit().isOpen());
  }

  /**
   * Makes sure that what let this replica serve was seen of the very server that this connection
   * reached, while it was open.
   */
  private void vouch(EndpointPool.Lease lease, Node node) throws SQLException {
    if (!isRead() || node.endpoint().isPrimary()) {
      return;
    }
    ReplicaSetView view = runtime.view();
    Floor floor = floor(view);
    if (!runtime.rules().needsEvidence(floor)) {
      return;
    }
    Node now = view.nodes().get(node.ordinal());
    if (now.sighting() == null || !lease.physical().vouchedFor(now.sighting())) {
      Sighting seen = await(node);
      if (seen == null || !lease.physical().vouchedFor(seen)) {
        throw new NotVouched("nothing vouches for this connection to " + node.name(), request);
      }
      view = runtime.view();
      now = view.nodes().get(node.ordinal());
    }
    if (!runtime.decider().admits(now, view, floor)) {
      throw new NotVouched(node.name() + " is behind on this connection", request);
    }
  }

  private @Nullable Sighting await(Node node) throws SQLException {
    try {
      return Attempts.await(
          node.endpoint().monitor().ask(connection.watermark().token()),
          runtime.ticker().getAsLong() + runtime.config().routing().probe().toNanos(),
          runtime.ticker());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  /** A replica turned out not to be what its sighting said; nothing was sent. */
  private static final class NotVouched extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1;

    NotVouched(String sentence, RouteRequest request) {
      this(
          sentence,
          request.forced() == Role.REPLICA
              ? PostgresError.NO_REPLICA
              : PostgresError.NO_REPLICA_NO_FALLBACK);
    }

    private NotVouched(String sentence, PostgresError error) {
      super(error.code() + ": " + sentence, error.sqlState(), error.number());
    }
  }

  // ---- walking back

  @Override
  public Class<SQLException> failureType() {
    return SQLException.class;
  }

  @Override
  public Attempts.Verdict judge(Node node, SQLException failure, Tried tried) {
    boolean connectionFailed = Failures.isConnection(failure) && !isCallersTimeout(failure);
    if (connectionFailed && !isPointless(node)) {
      node.endpoint().monitor().callFailed(failure);
    }
    if (runtime.isClosed()) {
      return Attempts.Verdict.GIVE_UP;
    }
    return sent ? judgeSent(node, failure, connectionFailed) : judgeUnsent(failure);
  }

  /** The caller's own network timeout ran out: that says nothing against the server. */
  private boolean isCallersTimeout(SQLException failure) {
    return connection.settings().networkTimeout > 0 && Failures.isSocketTimeout(failure);
  }

  private Attempts.Verdict judgeSent(Node node, SQLException failure, boolean connectionFailed) {
    boolean cancelled = !node.endpoint().isPrimary() && Failures.isRecoveryConflict(failure);
    if (!isRead() || !resendable || !(connectionFailed || cancelled)) {
      return Attempts.Verdict.GIVE_UP;
    }
    return letGo() ? Attempts.Verdict.ELSEWHERE : Attempts.Verdict.GIVE_UP;
  }

  private Attempts.Verdict judgeUnsent(SQLException failure) {
    if (!isRead()
        || failure.getErrorCode() == PostgresError.ACQUIRE_TIMEOUT.number()
        || Thread.currentThread().isInterrupted()) {
      return Attempts.Verdict.GIVE_UP;
    }
    return letGo() ? Attempts.Verdict.ELSEWHERE : Attempts.Verdict.GIVE_UP;
  }

  /** Gives up the connection that failed; a caller that is tied to it cannot go elsewhere. */
  private boolean letGo() {
    Binding held = connection.binding();
    if (held == null) {
      return true;
    }
    if (connection.tiedBy() != null) {
      return false;
    }
    connection.bind(null);
    try {
      held.release();
    } catch (SQLException e) {
      return true; // it is gone either way
    }
    return true;
  }

  @Override
  public SQLException refused(Reason reason, @Nullable SQLException failure) {
    if (failure != null && !(failure instanceof NotVouched)) {
      return failure;
    }
    SQLException refusal = refusal((PostgresReason) reason);
    if (failure != null) {
      refusal.addSuppressed(failure);
    }
    return refusal;
  }

  private SQLException refusal(PostgresReason reason) {
    String tied = connection.tiedBy();
    Binding held = connection.binding();
    if (isRead() && tied != null && held != null) {
      return PostgresError.NO_REPLICA.exception(
          "this connection is tied to endpoint "
              + held.endpoint()
              + " by "
              + tied
              + ", which may not serve this read ("
              + reason.word()
              + ")",
          null);
    }
    return runtime.refusal(request, reason);
  }

  @Override
  public SQLException interrupted(InterruptedException cause) {
    return new SQLException("interrupted while waiting for evidence", "57014", cause);
  }
}
