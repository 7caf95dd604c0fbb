package io.waymark.topology.routing;

import io.waymark.core.WaymarkException;
import java.io.Serial;

/** A push found no shard; nothing was called. Its code is one of {@link RoutingError}. */
public final class RoutingException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  private final RoutingError error;

  RoutingException(RoutingError error, String message) {
    super(error.code(), message, null);
    this.error = error;
  }

  /** Which. */
  public RoutingError error() {
    return error;
  }
}
