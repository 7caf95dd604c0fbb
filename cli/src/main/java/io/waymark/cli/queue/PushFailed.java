package io.waymark.cli.queue;

import org.jspecify.annotations.Nullable;

/** A push has no answer. */
final class PushFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean surelyNotMade;

  PushFailed(boolean surelyNotMade, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.surelyNotMade = surelyNotMade;
  }

  /** Whether it reached nobody; else nobody knows whether it was accepted. */
  boolean isSurelyNotMade() {
    return surelyNotMade;
  }
}
