package io.waymark.publish.redis;

import java.io.Serial;

/** There is no connection at this moment, so that nothing was sent. */
final class NotConnectedException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  NotConnectedException() {
    super("Redis is not connected; nothing was sent");
  }
}
