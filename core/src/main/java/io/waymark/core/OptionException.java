package io.waymark.core;

import java.io.Serial;

/**
 * An option that cannot be used: its message names the option, shows the value unless it may be a
 * secret, and says what would be accepted. Nothing was opened.
 */
public class OptionException extends IllegalArgumentException {
  /** The stable code of every bad option. */
  public static final String CODE = "WM1120";

  @Serial private static final long serialVersionUID = 1;

  /**
   * @param message the whole sentence, without the code
   */
  public OptionException(String message) {
    super(CODE + ": " + message);
  }

  /** The stable code: {@value #CODE}. */
  public String code() {
    return CODE;
  }
}
