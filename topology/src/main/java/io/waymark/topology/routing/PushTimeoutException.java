package io.waymark.topology.routing;

import io.waymark.core.WaymarkException;
import java.io.Serial;
import java.time.Duration;

/** The caller waits no longer for a push; code WM2310. The call, if it began, goes on. */
public final class PushTimeoutException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  private final boolean unsent;

  private PushTimeoutException(String what, boolean unsent) {
    super(
        "WM2310",
        what
            + (unsent
                ? ". It had no thread yet and was not sent"
                : ". The call goes on, and whether it is accepted is unknown: push the same input"
                    + " again only if the shard recognises it"),
        null);
    this.unsent = unsent;
  }

  static PushTimeoutException after(String method, Duration limit, boolean unsent) {
    return new PushTimeoutException(
        method + " was not answered within " + millis(limit) + " ms", unsent);
  }

  static PushTimeoutException interrupted(String method, boolean unsent) {
    return new PushTimeoutException(
        method + " was left because the thread that waited was interrupted", unsent);
  }

  private static String millis(Duration limit) {
    // toMillis() overflows where somebody waits for ever.
    return limit.toSeconds() > Integer.MAX_VALUE
        ? limit.toSeconds() + "000"
        : String.valueOf(limit.toMillis());
  }

  /**
   * Whether it is certain that the shard got nothing: no thread took the push up, and none will. If
   * not, the shard may accept it, or may have.
   */
  public boolean isUnsent() {
    return unsent;
  }
}
