package io.waymark.postgres;

import io.waymark.core.LiveView;
import io.waymark.core.SingleFlight;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one endpoint on a connection and a thread of its own: probes it at the interval that its
 * circuit asks for, and whenever somebody needs evidence now.
 *
 * <p>A probe and an answer to a question are the same thing: one query that tells all that can be
 * told, put into the view. A server that hangs holds up this thread only.
 */
final class EndpointMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointMonitor.class);

  /** While the primary is not there, it is looked for this often. */
  private static final Duration WITHOUT_PRIMARY = Duration.ofMillis(100);

  /**
   * How many probe intervals lie between two looks at where a new connection leads. A look costs
   * the server a connection, so it is rare.
   */
  static final int LOOK_EVERY = 30;

  /** After the address has moved, so many looks are made at once: does it move back? */
  private static final int DOUBTS = 5;

  /** How long close waits for a probe that is under way: connecting cannot be cut short. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Endpoint endpoint;
  private final Supplier<LiveView<ReplicaSetView>> view;
  private final PhysicalOpener opener;
  private final Readings readings;
  private final Duration probe;
  private final Duration firstConnect;
  private final boolean single;
  private final boolean sharesSessions;
  private final LongSupplier ticker;
  private final RandomGenerator random;
  private final Queue<Token> wanted = new ConcurrentLinkedQueue<>();
  private final SingleFlight<Sighting> questions;
  private final Queue<Inquiry> inquiries = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Sighting> first = new CompletableFuture<>();
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private ServerQueries.@Nullable Introduction introduction;
  private String query = "";

  /** What was seen last on this very connection. */
  private @Nullable Sighting before;

  /** The promotion that was watched last: the server, its timeline, and where it left the other. */
  private @Nullable Sighting promoted;

  /** A read has met log that is not flushed. */
  private volatile boolean nudgeWanted;

  /** The earliest time of the next nudge, on the ticker. */
  private volatile long nextNudge;

  private boolean nudgeRefused;

  /** The earliest time at which a refused write makes the pool start over, on the ticker. */
  private final AtomicLong nextDoubt;

  /** A read must know where the timeline before this server's ended. */
  private volatile boolean forkWanted;

  /** The history whose beginning this server was asked for last. */
  private volatile @Nullable History forkAsked;

  /** The earliest time to ask again where there was no answer, on the ticker. */
  private volatile long nextForkQuestion;

  private final AddressCheck address = new AddressCheck();
  private final AtomicInteger doubts = new AtomicInteger();
  private long nextLook;
  private boolean answered;
  private volatile boolean closed;

  /**
   * Somebody's question what became of a transaction.
   *
   * @param session the connection of this monitor that was open before the transaction committed
   */
  private record Inquiry(long xid, Object session, CompletableFuture<Fate> answer) {}

  EndpointMonitor(
      Endpoint endpoint,
      WaymarkDataSourceConfig config,
      PhysicalOpener opener,
      Supplier<LiveView<ReplicaSetView>> view,
      Readings readings) {
    this.endpoint = endpoint;
    this.view = view;
    this.opener = opener;
    this.readings = readings;
    this.probe = config.routing().probe();
    this.firstConnect = config.connectTimeout();
    this.single = config.single();
    this.sharesSessions = config.sharesSessions();
    this.ticker = config.ticker();
    this.random = config.random();
    this.nextNudge = ticker.getAsLong();
    this.nextForkQuestion = ticker.getAsLong();
    this.nextLook = ticker.getAsLong() + untilLook();
    this.nextDoubt = new AtomicLong(ticker.getAsLong());
    this.thread = new Thread(this::run, "waymark-monitor-" + endpoint.name());
    this.thread.setDaemon(true);
    this.questions = new SingleFlight<>(() -> LockSupport.unpark(thread));
  }

  /** Starts probing; the first probe is under way when this returns. */
  CompletableFuture<Sighting> start() {
    thread.start();
    return first;
  }

  /**
   * Asks for a sighting that starts after this call; all who ask at the same time share it. It is
   * in the view when it completes.
   *
   * @param token what the asker hopes that the server has reached; null for nothing in particular
   */
  CompletableFuture<Sighting> ask(@Nullable Token token) {
    while (true) {
      CompletableFuture<Sighting> question = questions.ask();
      if (token != null) {
        wanted.add(token);
      }
      // Only a question that has not started since will carry the token.
      if (token == null || questions.isGathering(question)) {
        return closed ? CompletableFuture.failedFuture(closedException()) : question;
      }
    }
  }

  /**
   * The connection that the probes use now, as a mark: while it is the same one, the server has not
   * crashed. Null where there is none, and behind a pooler, whose connections outlive the server's.
   */
  @Nullable Object session() {
    return sharesSessions ? null : connection;
  }

  /**
   * Asks what became of a transaction.
   *
   * <p>After a crash the ids of transactions whose log was lost are given out again, and the server
   * would speak of another transaction. So the answer must come over a connection that was open
   * before the commit was sent and has lived since; otherwise it is unknown.
   *
   * @param xid the transaction
   * @param session what {@link #session()} said before the commit was sent
   */
  CompletableFuture<Fate> fate(long xid, Object session) {
    Inquiry inquiry = new Inquiry(xid, session, new CompletableFuture<>());
    inquiries.add(inquiry);
    LockSupport.unpark(thread);
    if (closed) {
      inquiry.answer().complete(Fate.UNKNOWN);
    }
    return inquiry.answer();
  }

  private void answerInquiries() {
    for (Inquiry next = inquiries.poll(); next != null; next = inquiries.poll()) {
      next.answer().complete(fateOf(next));
    }
  }

  private Fate fateOf(Inquiry inquiry) {
    Connection open = connection;
    if (open == null || open != inquiry.session() || closed) {
      return Fate.UNKNOWN;
    }
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery(ServerQueries.fate(inquiry.xid()))) {
      row.next();
      String status = row.getString(1);
      return switch (status == null ? "" : status) {
        case "committed" -> Fate.COMMITTED;
        case "aborted" -> Fate.ABORTED;
        case "in progress" -> Fate.IN_PROGRESS;
        default -> Fate.UNKNOWN;
      };
    } catch (SQLException e) {
      LOG.debug("endpoint {}: does not tell what became of a transaction", endpoint, e);
      return Fate.UNKNOWN;
    }
  }

  /**
   * A read would wait for log that other sessions have not committed: the server is made to flush
   * it, one interval after the last time at the earliest.
   */
  void nudge() {
    if (!nudgeWanted) {
      nudgeWanted = true;
      LockSupport.unpark(thread);
    }
  }

  /** The wait, or less if a nudge is due before. */
  private long untilNudge(long wait) {
    return nudgeWanted ? Math.min(wait, Math.max(1, nextNudge - ticker.getAsLong())) : wait;
  }

  private boolean isNudgeDue() {
    return nudgeWanted && ticker.getAsLong() - nextNudge >= 0;
  }

  private void nudge(Sighting seen) {
    Connection open = connection;
    if (!isNudgeDue() || open == null) {
      return;
    }
    nudgeWanted = false;
    boolean unflushed =
        seen.position() != Lsn.NONE
            && seen.flush() != Lsn.NONE
            && !Lsn.reached(seen.flush(), seen.position());
    if (!unflushed || nudgeRefused) {
      return;
    }
    nextNudge = ticker.getAsLong() + probe.toNanos();
    try (Statement statement = open.createStatement()) {
      statement.execute(ServerQueries.NUDGE);
    } catch (SQLException e) {
      if (Failures.isConnection(e)) {
        disconnect();
        failed(e);
      } else {
        nudgeRefused = true;
        LOG.warn("endpoint {}: nudges are refused: {}", endpoint, e.getMessage());
      }
    }
  }

  /**
   * The server refused a write although nothing was declared read-only: it may not be the primary
   * any more, or the address may lead elsewhere now. It is asked at once, and the pool starts over,
   * at most once per interval.
   */
  void roleInDoubt() {
    long now = ticker.getAsLong();
    long due = nextDoubt.get();
    if (now - due >= 0 && nextDoubt.compareAndSet(due, now + probe.toNanos())) {
      LOG.warn("endpoint {}: refuses writes; its connections are replaced", endpoint);
      endpoint.pool().evict();
      CompletableFuture<Sighting> unused = questions.ask();
    }
  }

  /**
   * A read must know where the timeline before this server's ended, and nobody saw it. The server's
   * history file is asked for, once for each timeline of it.
   */
  void findFork() {
    if (!forkWanted && ticker.getAsLong() - nextForkQuestion >= 0 && !wasForkAsked()) {
      forkWanted = true;
      LockSupport.unpark(thread);
    }
  }

  private boolean wasForkAsked() {
    History asked = forkAsked;
    Sighting seen = view.get().current().nodes().get(endpoint.ordinal()).sighting();
    History now = seen == null ? null : seen.history();
    return asked != null && now != null && now.same(asked);
  }

  /** Only a role that may replicate is told; others would leave an error in the server's log. */
  private void findFork(Sighting seen) {
    History history = seen.history();
    Connection open = connection;
    if (!forkWanted || open == null) {
      return;
    }
    forkWanted = false;
    if (history == null || history.timeline() < 2 || seen.fork() != Lsn.NONE || sharesSessions) {
      forkAsked = history;
      return;
    }
    nextForkQuestion = ticker.getAsLong() + untilLook();
    try {
      long fork = mayReplicate(open) ? askFork(history) : Lsn.NONE;
      forkAsked = history;
      if (fork != Lsn.NONE) {
        Sighting known = seen.withFork(fork);
        promoted = known;
        view.get().swap(now -> now.with(endpoint, known));
      }
      LOG.info(
          "endpoint {}: timeline {} left the one before at {}",
          endpoint,
          history.timeline(),
          fork == Lsn.NONE ? "a place that nobody tells" : Lsn.format(fork));
    } catch (SQLException e) {
      if (!Failures.isConnection(e) && !Failures.isBusy(e)) {
        forkAsked = history; // an answer, if not the one that was hoped for
      }
      LOG.info("endpoint {}: does not tell its timeline's history: {}", endpoint, e.getMessage());
    }
  }

  private static boolean mayReplicate(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery(ServerQueries.MAY_REPLICATE)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private long askFork(History history) throws SQLException {
    try (Connection replication = opener.openForReplication(probe)) {
      replication.setNetworkTimeout(Runnable::run, timeoutMillis());
      ServerInstance reached = ServerQueries.introduce(replication).server();
      return history.server().equals(reached)
          ? TimelineHistory.fork(replication, history.timeline())
          : Lsn.NONE;
    }
  }

  private int timeoutMillis() {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, probe.toMillis()));
  }

  /** What a connection that is about to be opened passes to {@link #reached}. */
  int mark() {
    return address.mark();
  }

  /**
   * A connection was opened to this endpoint.
   *
   * @param server which server it reached; null where that cannot be told
   * @param since what {@link #mark} said before
   */
  void reached(@Nullable ServerInstance server, int since) {
    if (server != null) {
      found(address.reached(server, since));
    }
  }

  private void found(AddressCheck.Finding finding) {
    switch (finding) {
      case SAME -> {}
      case MOVED -> doubts.set(DOUBTS);
      case SEVERAL -> view.get().swap(now -> now.severalServers(endpoint, true));
      case ONE -> view.get().swap(now -> now.severalServers(endpoint, false));
    }
  }

  private long untilLook() {
    double spread = 0.9 + 0.2 * random.nextDouble();
    return (long) (spread * LOOK_EVERY * probe.toNanos());
  }

  /**
   * Looks now and then where a new connection leads. The one that probes may lead to where the
   * address led long ago.
   */
  private void lookAtAddress() {
    boolean periodic = ticker.getAsLong() - nextLook >= 0;
    if (single || !(periodic || doubts.get() > 0)) {
      return;
    }
    if (periodic) {
      nextLook = ticker.getAsLong() + untilLook();
    } else {
      doubts.decrementAndGet();
    }
    int mark = address.mark();
    try (Connection opened = opener.open(probe, probe)) {
      ServerInstance server = ServerQueries.introduce(opened).server();
      if (server != null) {
        found(periodic ? address.looked(server, mark) : address.reached(server, mark));
        follow(server);
      }
    } catch (SQLException e) {
      LOG.debug("endpoint {}: no second connection to look where it leads", endpoint, e);
    }
  }

  /** Leaves the server that is probed, where new connections lead to another one. */
  private void follow(ServerInstance server) {
    Sighting probed = view.get().current().nodes().get(endpoint.ordinal()).sighting();
    if (probed != null
        && probed.server() != null
        && !probed.server().sameServer(server)
        && !address.several()) {
      disconnect();
    }
  }

  private void run() {
    long started = ticker.getAsLong();
    long delay = 0;
    while (!closed) {
      answerInquiries();
      long wait = started + delay - ticker.getAsLong();
      if (wait > 0 && !questions.isWanted() && !isNudgeDue() && !forkWanted) {
        LockSupport.parkNanos(this, untilNudge(wait));
        continue;
      }
      started = ticker.getAsLong();
      look(questions.start());
      delay = delay().toNanos();
    }
    disconnect();
    answerInquiries();
    questions.start().completeExceptionally(closedException());
  }

  private void look(CompletableFuture<Sighting> question) {
    try {
      Sighting seen = withFork(probe(true));
      before = sharesSessions ? null : seen; // then nobody knows whether it is the same session
      succeeded(seen);
      question.complete(seen);
      first.complete(seen);
      nudge(seen);
      findFork(seen);
      lookAtAddress();
    } catch (SQLException | RuntimeException e) {
      disconnect();
      if (!closed) {
        failed(e);
      }
      question.completeExceptionally(e);
      first.completeExceptionally(e);
    }
  }

  /**
   * A standby that is a primary now left its timeline at its last replayed position. It holds only
   * if the connection lived through it: after a crash, a primary has such a position too.
   */
  private Sighting withFork(Sighting seen) {
    if (seen.inRecovery()) {
      return seen;
    }
    Sighting last = before;
    if (last != null && last.inRecovery()) {
      promoted = seen.withFork(seen.replay());
    }
    Sighting watched = promoted;
    History then = watched == null ? null : watched.history();
    History now = seen.history();
    return watched != null && then != null && now != null && now.same(then)
        ? seen.withFork(watched.fork())
        : seen;
  }

  private Duration delay() {
    Duration ordinary = endpoint.vitals().circuit().nextDelay(random);
    boolean missing =
        endpoint.isPrimary()
            && !single
            && (connection == null || view.get().current().withoutPrimary() != null)
            && ordinary.compareTo(WITHOUT_PRIMARY) > 0;
    return missing ? WITHOUT_PRIMARY : ordinary;
  }

  private void succeeded(Sighting seen) {
    endpoint.vitals().latency(seen.tookNanos());
    if (endpoint.vitals().circuit().trialSucceeded()) {
      LOG.info("endpoint {}: circuit closed", endpoint);
    }
    Sighting last = view.get().current().nodes().get(endpoint.ordinal()).sighting();
    boolean another = last != null && !Objects.equals(last.server(), seen.server());
    boolean changed = last != null && last.inRecovery() != seen.inRecovery();
    if (another) {
      LOG.info("endpoint {}: another server instance answers", endpoint);
      endpoint.pool().evict(); // what is pooled is dead, or leads elsewhere
    }
    view.get().swap(now -> now.with(endpoint, seen));
    if (changed) {
      LOG.warn("endpoint {}: is a {} now", endpoint, seen.inRecovery() ? "standby" : "primary");
      endpoint.pool().evict();
    }
  }

  private void failed(Exception e) {
    if (Failures.isBusy(e)) {
      LOG.debug("endpoint {}: too busy for the probe: {}", endpoint, e.getMessage());
      return;
    }
    opened(endpoint.vitals().circuit().trialFailed(), e);
    if (endpoint.vitals().circuit().isOpen() && !endpoint.isPrimary()) {
      endpoint
          .pool()
          .abortInUse(); // the probe says that nobody answers: whoever waits, waits in vain
    }
  }

  /**
   * A call could not reach the endpoint, or its connection broke. One failure is no proof, but the
   * next call should not be the one to find it: the server is asked at once.
   */
  void callFailed(Exception e) {
    boolean opened = endpoint.vitals().circuit().failed();
    opened(opened, e);
    if (!opened) {
      CompletableFuture<Sighting> unused = questions.ask();
    }
  }

  private void opened(boolean opened, Exception e) {
    if (opened) {
      LOG.warn("endpoint {}: circuit opened: {}", endpoint, e.getMessage());
      String because = Failures.kind(e);
      view.get().swap(now -> now.opened(endpoint, because));
      endpoint.pool().evict();
    }
  }

  /** One query; once more with what the role may still do, if its rights have changed. */
  private Sighting probe(boolean again) throws SQLException {
    int mark = address.mark();
    Connection open = connection;
    boolean opened = open == null;
    if (open == null) {
      open = connect();
    }
    ServerQueries.Introduction who = introduction;
    if (who == null) {
      who = ServerQueries.introduce(open);
      open.setNetworkTimeout(Runnable::run, timeoutMillis());
      answered = true;
      introduction = who;
      if (opened) { // a pooler's client connection says where it led, not where one would lead now
        reached(who.server(), mark);
      }
      query = ServerQueries.probe(who.rights());
    }
    Set<Token> asked = asked();
    if (sharesSessions) {
      introduction = null; // the next answer may be another's
    }
    String sql = asked.isEmpty() ? query : ServerQueries.probe(who.rights(), asked);
    long reading = readings.start();
    long started = ticker.getAsLong();
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      long took = ticker.getAsLong() - started;
      row.next();
      return ServerQueries.sighting(row, who, asked, reading, started, took);
    } catch (SQLException e) {
      if (again && Failures.isDenied(e)) {
        introduction = null;
        return probe(false);
      }
      throw e;
    }
  }

  private Connection connect() throws SQLException {
    // The first answer may take as long as any connection may; later ones must keep the interval.
    Duration patience = answered ? probe : firstConnect;
    Connection opened = opener.open(patience, patience);
    connection = opened;
    if (closed) {
      disconnect();
      throw closedException();
    }
    return opened;
  }

  private Set<Token> asked() {
    Set<Token> asked = new HashSet<>();
    for (Token token = wanted.poll(); token != null; token = wanted.poll()) {
      asked.add(token);
    }
    return asked;
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    introduction = null;
    before = null;
    nudgeRefused = false;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("endpoint {}: the probe's connection did not close cleanly", endpoint, e);
      }
    }
  }

  private SQLException closedException() {
    return PostgresError.CLOSED.exception("the data source is closed", null);
  }

  /** Stops probing without waiting: whoever waits for evidence learns that there is none. */
  void stop() {
    closed = true;
    LockSupport.unpark(thread);
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("endpoint {}: the probe's connection did not abort", endpoint, e);
      }
    }
  }

  /** Stops probing, and waits for the thread to end. Idempotent. */
  @Override
  public void close() {
    stop();
    boolean interrupted = false;
    long until = System.nanoTime() + CLOSING.toNanos();
    while (thread.isAlive() && System.nanoTime() < until) {
      try {
        thread.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
