package io.waymark.postgres;

import org.jspecify.annotations.Nullable;

/**
 * A session of one thread: reads on its connections see the writes on its connections. Close it on
 * the thread that opened it, innermost first, as try-with-resources does. Connections that were got
 * within it belong to it for as long as they are open.
 */
public final class CausalSession implements AutoCloseable {
  private final Watermark watermark;
  private final ThreadLocal<@Nullable CausalSession> sessions;
  private final @Nullable CausalSession outer;

  CausalSession(
      Watermark watermark,
      ThreadLocal<@Nullable CausalSession> sessions,
      @Nullable CausalSession outer) {
    this.watermark = watermark;
    this.sessions = sessions;
    this.outer = outer;
  }

  Watermark watermark() {
    return watermark;
  }

  /** Ends the session: the one around it, if any, is in force again. Idempotent. */
  @Override
  public void close() {
    if (sessions.get() == this) {
      if (outer == null) {
        sessions.remove();
      } else {
        sessions.set(outer);
      }
    }
  }
}
