package io.waymark.core;

/** Whether a call that failed has had its effect. */
public enum Effect {
  /** Certainly not: nothing was sent, or the other side said that nothing was done. */
  NONE,
  /** Certainly. */
  DONE,
  /** Nobody can say. Such a call is never sent again. */
  UNKNOWN
}
