package io.waymark.topology;

import io.waymark.core.WaymarkException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A store of snapshots could not be used; code WM2104. */
public final class SnapshotStoreException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param message what could not be done, with nothing secret
   * @param cause what it came from, if anything
   */
  public SnapshotStoreException(String message, @Nullable Throwable cause) {
    super(TopologyError.STORE.code(), message, cause);
  }
}
