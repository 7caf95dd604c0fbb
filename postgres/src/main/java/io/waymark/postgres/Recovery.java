package io.waymark.postgres;

import org.jspecify.annotations.Nullable;

/**
 * The last time that the primary was seen to have recovered from a crash. Its log then ends where
 * recovery found its end, and goes on from there with other contents.
 *
 * @param history the history that it writes
 * @param end where the log that survived ends
 * @param before the instance that crashed
 * @param lastBefore the last reading that saw it before the crash
 */
record Recovery(History history, long end, ServerInstance before, long lastBefore) {
  /**
   * What is known of it after another sighting of the primary.
   *
   * <p>A primary whose last replayed position is another than before has recovered from a crash,
   * and this is where its log ended. After a restart in order there is no such position.
   */
  static @Nullable Recovery after(@Nullable Recovery known, @Nullable Sighting last, Sighting now) {
    History then = last == null ? null : last.history();
    History history = now.history();
    if (last == null || then == null || history == null || !history.same(then)) {
      return known;
    }
    return now.replay() == Lsn.NONE || now.replay() == last.replay()
        ? known
        : new Recovery(history, now.replay(), then.server(), last.reading());
  }

  /**
   * The part of the token that survived: the token itself, or the end of the recovered log.
   * Everything of the session's that was durable lies at or before that end; what lay behind it no
   * server will ever have.
   */
  Token surviving(Token token) {
    return isAfter(token) && token.history().same(history) && !Lsn.reached(end, token.lsn())
        ? new Token(token.history(), end, Token.NO_XID, token.reading())
        : token;
  }

  /**
   * Whether the token was taken before: under a reading of before, or of the instance that crashed.
   * When a backend crashes, the instance stays the same.
   */
  private boolean isAfter(Token token) {
    ServerInstance server = token.history().server();
    return token.reading() <= lastBefore
        || (server.equals(before) && !server.equals(history.server()));
  }
}
