package io.waymark.durable;

/** What became of the wish to settle a claim. */
enum Settled {
  /** Nothing is pending any more. */
  DONE,
  /** Something is pending: something else was staged, or it shall be tried again. */
  PENDING,
  /** The claim is somebody else's by now, or nobody's. */
  LOST,
  /** Somebody's transaction holds the row. */
  LOCKED
}
