package io.waymark.objects;

import io.waymark.core.WaymarkException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An object could not be opened, so that nothing was called; {@link #error()} says why. What a call
 * itself throws is never wrapped in this.
 */
public final class ObjectException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  private final ObjectError error;

  ObjectException(ObjectError error, String message, @Nullable Throwable cause) {
    super(error.code(), message, cause);
    this.error = error;
  }

  ObjectException(ObjectError error, String message) {
    this(error, message, null);
  }

  /** What went wrong. */
  public ObjectError error() {
    return error;
  }
}
