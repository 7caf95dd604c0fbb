package io.waymark.topology;

import io.waymark.core.WaymarkException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An encoded snapshot that cannot be understood; code WM2102. */
public final class InvalidSnapshotException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  InvalidSnapshotException(String message, @Nullable Throwable cause) {
    super(TopologyError.INVALID_SNAPSHOT.code(), message, cause);
  }
}
