package io.waymark.core;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A failure of Waymark's own with a stable code, where no standard type fits. Bad options are
 * {@link OptionException}s and failures of JDBC are {@code SQLException}s.
 */
public abstract class WaymarkException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String code;

  /**
   * @param code the stable code, such as {@code WM2101}
   * @param message the whole sentence, without the code
   * @param cause what it came from, if anything
   */
  protected WaymarkException(String code, String message, @Nullable Throwable cause) {
    super(code + ": " + message, cause);
    this.code = code;
  }

  /** The stable code; it stands at the start of the message too. */
  public String code() {
    return code;
  }
}
