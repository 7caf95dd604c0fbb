package io.waymark.durable;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A store could not do what it was asked for; {@link #error()} says what that means. */
public class DurableStoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final StoreError error;

  DurableStoreException(StoreError error, String message, @Nullable Throwable cause) {
    super(error.code() + ": " + message, cause);
    this.error = error;
  }

  DurableStoreException(StoreError error, String message) {
    this(error, message, null);
  }

  /** What went wrong. */
  public StoreError error() {
    return error;
  }

  /** The stable code, such as {@code WM2003}. */
  public String code() {
    return error.code();
  }
}
