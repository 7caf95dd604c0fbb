package io.waymark.postgres;

/** What became of a transaction whose commit was not answered. */
enum Fate {
  /** It is committed. */
  COMMITTED,
  /** It is rolled back. */
  ABORTED,
  /** It has not ended yet. */
  IN_PROGRESS,
  /** Nobody can say. */
  UNKNOWN
}
