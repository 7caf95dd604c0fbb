package io.waymark.postgres;

/** What becomes of a read that no replica may serve, where the caller did not force a role. */
public enum Fallback {
  /** The primary serves it. */
  PRIMARY,
  /** It fails with WM1844. */
  ERROR
}
