package io.waymark.postgres;

/**
 * What stands between this data source and its servers. It cannot be found out from outside, so it
 * must be said.
 */
public enum Pooler {
  /**
   * A connection is one session of one server: nothing stands in between, or a pooler in session
   * mode that resets a session before it hands it to another client.
   */
  NONE,

  /**
   * A pooler such as PgBouncer in transaction mode, with one server behind each URL: every
   * transaction may run in another session, and other clients use the same ones.
   *
   * <p>Then no session is left changed: a read in autocommit on the primary is sent inside a
   * read-only transaction of its own, an isolation level is set in each transaction, {@code
   * setSchema} is refused, and statements are not prepared on the server unless {@code
   * properties.prepareThreshold} says so. A commit does not tell its position; the next read asks
   * for one. Every probe asks anew who answers. What cannot be noticed is that a standby behind the
   * pooler crashed and came back at an older position: until the next probe, reads may miss what it
   * lost.
   */
  TRANSACTION
}
