package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Decision;
import io.waymark.core.Reason;
import io.waymark.core.Role;
import io.waymark.core.Tried;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
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
final class StatementJourney<R> extends ReplicaSetJourney<R> {
  private final RoutedConnection connection;
  private final SqlTraits traits;
  private final boolean resendable;
  private final Work<Binding, R> work;
  private Floor floor;
  private boolean sent;
  private @Nullable Node failedOn;

  StatementJourney(
      RoutedConnection connection,
      RouteRequest request,
      SqlTraits traits,
      boolean resendable,
      Work<Binding, R> work) {
    super(connection.runtime(), connection.watermark(), request);
    this.connection = connection;
    this.traits = traits;
    this.resendable = resendable;
    this.work = work;
    this.floor = runtime().view().noDemand();
  }

  // ---- deciding

  @Override
  public Decision<Node> decide(Tried tried) {
    ReplicaSetView view = runtime().view();
    floor = floor(view);
    Binding held = connection.binding();
    Decision<Node> onHeld = held == null ? null : onHeld(held, view, tried);
    return onHeld != null ? onHeld : runtime().decider().decide(request(), floor, tried);
  }

  /**
   * What becomes of the connection that is held. Where it may serve, it does. Where it may not and
   * nothing ties the caller to it, it is let go: null, to decide anew. A caller that is tied stays:
   * on the primary, and with anything but a read, the server has the last word, and where the
   * connection broke the driver; a read on a replica must be proven right or is refused.
   */
  private @Nullable Decision<Node> onHeld(Binding held, ReplicaSetView view, Tried tried) {
    Node node = view.nodes().get(held.endpoint().ordinal());
    boolean mayServe =
        !held.isBroken()
            && !held.declaredOtherwise()
            && mayServe(held, node, view)
            && !(isCalledAway(held, node, view) && connection.tiedBy() == null);
    if (mayServe && !tried.hasFailed(node)) {
      return new Decision.Chosen<>(node, held.reason());
    }
    if (connection.tiedBy() == null) {
      return null;
    }
    if (!isRead() || held.endpoint().isPrimary() || held.isBroken()) {
      return new Decision.Chosen<>(node, held.reason());
    }
    if (!floor.resolved() && !tried.wasAsked(view.primary())) {
      return new Decision.NeedsEvidence<>(view.primary());
    }
    return tried.wasAsked(node)
        ? new Decision.Refused<>(PostgresReason.FALLBACK_BEHIND)
        : new Decision.NeedsEvidence<>(node);
  }

  private boolean mayServe(Binding held, Node node, ReplicaSetView view) {
    if (!isRead()) {
      return held.endpoint().isPrimary()
          && held.lease().kind() == EndpointPool.Kind.MAIN
          && view.withoutPrimary() == null;
    }
    if (held.endpoint().isPrimary()) {
      return !held.reason().isFallback() && view.withoutPrimary() == null;
    }
    return request().forced() != Role.PRIMARY
        && !request().primaryOnly()
        && runtime().decider().admits(node, floor);
  }

  /** Whether an operator wants this read elsewhere. A caller that is tied ends where it is. */
  private boolean isCalledAway(Binding held, Node node, ReplicaSetView view) {
    if (!isRead()) {
      return false;
    }
    return held.endpoint().isPrimary()
        ? isSentToPrimary(held.reason()) && !view.primaryOnly()
        : node.drained() || (view.primaryOnly() && request().forced() == null);
  }

  /** Whether an operator sent this read to the primary, and not its caller. */
  private boolean isSentToPrimary(PostgresReason reason) {
    return request().forced() == null && reason == PostgresReason.CONSTRAINT_PRIMARY;
  }

  // ---- carrying

  @Override
  public R carry(Decision.Chosen<Node> chosen) throws SQLException {
    runtime().checkOpen(); // it may have been closed while this call waited for evidence
    Node node = chosen.member();
    PostgresReason reason = (PostgresReason) chosen.reason();
    if (failedOn != null) {
      runtime().measurements().retried(failedOn.name());
    }
    runtime().announce(request().operation(), node.name(), node.endpoint().text(reason));
    node.vitals().started();
    sent = false;
    try {
      Binding binding = bind(node, reason);
      sent = true;
      return binding.run(request().operation(), traits, work);
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
    EndpointPool.Lease lease = lease(node, reason);
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

  private EndpointPool.Lease lease(Node node, PostgresReason reason) throws SQLException {
    boolean aloneOnPrimary =
        isRead() && connection.settings().autoCommit && node.endpoint().isPrimary();
    EndpointPool.Kind kind = aloneOnPrimary ? EndpointPool.Kind.READ_ONLY : EndpointPool.Kind.MAIN;
    boolean limited = isRead() && (reason.isFallback() || isSentToPrimary(reason));
    EndpointPool.Patience patience =
        new EndpointPool.Patience(
            started() + runtime().config().acquireTimeout().toNanos(),
            !isRead(),
            () -> isPointless(node));
    long since = runtime().measurements().start();
    try {
      EndpointPool.Lease lease = node.endpoint().pool().acquire(kind, limited, patience);
      runtime().measurements().acquired(node.name(), since, null);
      return lease;
    } catch (SQLException e) {
      runtime().measurements().acquired(node.name(), since, e);
      throw e;
    }
  }

  private boolean staysOn(Binding held, Node node) {
    return held.endpoint() == node.endpoint()
        && (connection.tiedBy() != null || (!held.isBroken() && !held.declaredOtherwise()));
  }

  /** Whether nobody should wait for this endpoint any more, or be surprised that it fails. */
  private boolean isPointless(Node node) {
    return runtime().isClosed()
        || (!node.endpoint().isPrimary()
            && (node.vitals().circuit().isOpen() || runtime().isDrained(node.endpoint())));
  }

  /**
   * Makes sure that what let this replica serve was seen of the very server that this connection
   * reached, while it was open.
   */
  private void vouch(EndpointPool.Lease lease, Node node) throws SQLException {
    if (!isRead() || node.endpoint().isPrimary() || !runtime().rules().needsEvidence(floor)) {
      return;
    }
    Node now = runtime().view().nodes().get(node.ordinal());
    if (now.sighting() == null || !lease.physical().vouchedFor(now.sighting())) {
      Sighting seen = await(node);
      if (seen == null || !lease.physical().vouchedFor(seen)) {
        if (seen != null && lease.physical().isOutlivedBy(seen)) {
          lease.condemn();
        }
        throw new NotVouched("nothing vouches for this connection", refusal());
      }
    }
    ReplicaSetView view = runtime().view();
    if (!runtime().decider().admits(view.nodes().get(node.ordinal()), floor.in(view))) {
      throw new NotVouched("it is behind on this connection", refusal());
    }
  }

  private @Nullable Sighting await(Node node) throws SQLException {
    try {
      long deadline = ticker().getAsLong() + runtime().config().routing().probe().toNanos();
      return Attempts.await(evidence(node), deadline, ticker());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  /** A replica turned out not to be what its sighting said; nothing was sent. */
  private static final class NotVouched extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1;

    NotVouched(String why, SQLException refusal) {
      super(refusal.getMessage() + "; " + why, refusal.getSQLState(), refusal.getErrorCode());
    }
  }

  // ---- walking back

  @Override
  public Attempts.Verdict judge(Node node, SQLException failure, Tried tried) {
    failedOn = node;
    boolean connectionFailed = Failures.isConnection(failure) && !isCallersTimeout(failure);
    if (connectionFailed && !isPointless(node)) {
      node.endpoint().monitor().callFailed(failure);
    }
    if (runtime().isClosed()) {
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
    boolean lost = connectionFailed || Failures.isSessionEnded(failure);
    if (!isRead() || !resendable || !(lost || cancelled)) {
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

  private SQLException refusal() {
    return refusal(PostgresReason.FALLBACK_BEHIND);
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
    return runtime().refusal(request(), reason);
  }
}
