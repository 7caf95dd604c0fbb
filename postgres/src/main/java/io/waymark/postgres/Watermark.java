package io.waymark.postgres;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session has written, as far as its reads must know.
 *
 * <p>Writes in a transaction give a {@link Token} with their commit. Writes in autocommit only mark
 * the session dirty, before they are sent and again when they have ended; any reading of the
 * primary's position that started later resolves it. Readings are numbered, so "later" needs no
 * clock.
 *
 * <p>Thread safe and lock-free.
 */
final class Watermark {
  private static final Logger LOG = LoggerFactory.getLogger(Watermark.class);
  private static final long CLEAN = -1;
  private static final State NOTHING = new State(null, CLEAN, null);

  /**
   * @param token what is known
   * @param dirtySince the last reading that had started when the last unresolved write ended;
   *     {@link #CLEAN} if there is none
   * @param floor what the token came to in the view that asked last, so that reads of one view need
   *     not judge it again
   */
  private record State(@Nullable Token token, long dirtySince, @Nullable Floor floor) {}

  private final Consumer<Token> lost;
  private final AtomicReference<State> state = new AtomicReference<>(NOTHING);

  /** Connections whose writes cannot be watched, because the caller unwrapped them. */
  private final AtomicInteger unwatched = new AtomicInteger();

  /**
   * A session that has written nothing yet.
   *
   * @param lost told once, on the reading thread, of what is dropped because the history lost it
   */
  Watermark(Consumer<Token> lost) {
    this.lost = lost;
  }

  /** What is known now; the commit to come passes it to {@link #committed}. */
  @Nullable Token token() {
    return state.get().token();
  }

  /**
   * A write is about to be sent, or has ended, and its place is not known.
   *
   * @param reading the last reading that has started
   */
  void dirty(long reading) {
    state.updateAndGet(
        now -> now.dirtySince() >= reading ? now : new State(now.token(), reading, null));
  }

  /**
   * A transaction has committed and its place is known.
   *
   * @param token where
   * @param before what {@link #token} said before the commit was sent: if nothing came in between,
   *     the new transaction came after everything known, and its status speaks for all
   */
  void committed(Token token, @Nullable Token before) {
    state.updateAndGet(
        now -> new State(joined(now.token(), token, before), now.dirtySince(), null));
  }

  @SuppressWarnings("ReferenceEquality") // what came in between is another object, whatever it says
  private static Token joined(@Nullable Token known, Token token, @Nullable Token before) {
    if (known == null) {
      return token;
    }
    return known == before && known.history().same(token.history())
        ? new Token(
            token.history(),
            Lsn.max(known.lsn(), token.lsn()),
            token.xid(),
            Math.max(known.reading(), token.reading()))
        : known.merge(token);
  }

  /** The caller got hold of a connection itself: until it is closed, the session may be dirty. */
  void unwatched() {
    unwatched.incrementAndGet();
  }

  /** Such a connection was closed. */
  void watchedAgain(long reading) {
    dirty(reading);
    unwatched.decrementAndGet();
  }

  /**
   * What a read must see.
   *
   * @param view what is believed now
   * @param since the last reading that had started when the read was asked for
   */
  Floor floor(ReplicaSetView view, long since) {
    State now = state.get();
    if (now.dirtySince() == CLEAN && unwatched.get() == 0) {
      return now.token() == null ? view.noDemand() : ofToken(now, view);
    }
    Sighting primary = view.primary().sighting();
    long needed = unwatched.get() > 0 ? Math.max(since, now.dirtySince()) : now.dirtySince();
    History history = primary == null ? null : primary.history();
    if (primary == null
        || history == null
        || view.primary().severalServers()
        || primary.position() == Lsn.NONE
        || primary.reading() <= needed) {
      return new Floor(view, now.token(), false);
    }
    Token seen = new Token(history, primary.position(), Token.NO_XID, primary.reading());
    Token survived = now.token() == null ? null : survived(now.token(), view);
    Token merged = survived == null ? seen : survived.merge(seen);
    Floor floor = new Floor(view, merged, true);
    state.compareAndSet(
        now, new State(merged, CLEAN, floor)); // else a later write came: its own read asks
    return floor;
  }

  @SuppressWarnings("ReferenceEquality") // a view is itself; comparing its content would cost more
  private Floor ofToken(State now, ReplicaSetView view) {
    Floor judged = now.floor();
    if (judged != null && judged.view() == view) {
      return judged;
    }
    Token token = now.token();
    if (token != null && view.hasLost(token)) {
      if (state.compareAndSet(now, NOTHING)) {
        LOG.warn(
            "the history changed: writes up to {} of timeline {} may be lost and are not waited"
                + " for",
            Lsn.format(token.lsn()),
            token.history().timeline());
        lost.accept(token);
      }
      return view.noDemand();
    }
    Token survived = token == null ? null : survived(token, view);
    Floor floor = new Floor(view, survived, true);
    state.compareAndSet(now, new State(survived, CLEAN, floor));
    return floor;
  }

  private static Token survived(Token token, ReplicaSetView view) {
    Token survived = view.surviving(token);
    if (!survived.equals(token)) {
      LOG.warn(
          "the primary crashed: its log survived up to {} of timeline {}; writes behind that, of"
              + " this session up to {}, may be lost and are not waited for",
          Lsn.format(survived.lsn()),
          token.history().timeline(),
          Lsn.format(token.lsn()));
    }
    return survived;
  }
}
