package io.waymark.postgres;

/**
 * Where a committed write stands: a read that must see it may go to any server that has replayed up
 * to it.
 *
 * @param history the history that the position belongs to
 * @param lsn at or behind the end of the write's commit record
 * @param xid the writing transaction, where its status alone proves that everything this token
 *     stands for has been replayed; {@link #NO_XID} otherwise
 * @param reading a reading of the primary that had started when the position was taken, on a server
 *     that has not crashed in between; what a crash after a later reading lost does not concern it
 */
record Token(History history, long lsn, long xid, long reading) {
  static final long NO_XID = 0;

  /** A token that no crash of the past concerns. */
  Token(History history, long lsn, long xid) {
    this(history, lsn, xid, Long.MAX_VALUE);
  }

  /**
   * The token for both this and the other write.
   *
   * <p>Within one history the larger position stands for both. The transaction of one of them
   * proves nothing about the other. Another history is neither older nor newer: the later word
   * replaces the earlier one.
   *
   * @param later what became known later
   */
  Token merge(Token later) {
    if (!history.same(later.history)) {
      return later;
    }
    if (equals(later)) {
      return this;
    }
    return new Token(
        laterInstance(later), Lsn.max(lsn, later.lsn), NO_XID, Math.max(reading, later.reading));
  }

  /** Of one history, as the instance wrote it that wrote it last. */
  private History laterInstance(Token other) {
    if (reading != other.reading) {
      return reading > other.reading ? history : other.history;
    }
    return history.server().startedMicros() > other.history.server().startedMicros()
        ? history
        : other.history;
  }

  @Override
  public String toString() {
    return history.timeline() + ":" + Lsn.format(lsn);
  }
}
