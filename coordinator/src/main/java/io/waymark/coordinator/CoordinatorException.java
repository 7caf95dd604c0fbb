package io.waymark.coordinator;

import io.waymark.core.WaymarkException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A coordinator could not do what it was asked for; {@link #error()} says what that means. */
public final class CoordinatorException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  private final CoordinatorError error;

  CoordinatorException(CoordinatorError error, String message, @Nullable Throwable cause) {
    super(error.code(), message, cause);
    this.error = error;
  }

  CoordinatorException(CoordinatorError error, String message) {
    this(error, message, null);
  }

  /** What went wrong. */
  public CoordinatorError error() {
    return error;
  }
}
