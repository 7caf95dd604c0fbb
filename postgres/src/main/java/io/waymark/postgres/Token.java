package io.waymark.postgres;

/**
 * Where a committed write stands: a read that must see it may go to any server that has replayed up
 * to it.
 *
 * @param history the history that the position belongs to
 * @param lsn at or behind the end of the write's commit record
 * @param xid the writing transaction, where its status alone proves that everything this token
 *     stands for has been replayed; {@link #NO_XID} otherwise
 */
record Token(History history, long lsn, long xid) {
  static final long NO_XID = 0;

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
    return new Token(later.history, Lsn.max(lsn, later.lsn), NO_XID);
  }

  @Override
  public String toString() {
    return history.timeline() + ":" + Lsn.format(lsn);
  }
}
