package io.waymark.core;

import java.io.Serial;
import java.util.Collection;
import java.util.regex.Pattern;

/**
 * An option that cannot be used: its message names the option, shows the value unless it may be a
 * secret, and says what would be accepted. Nothing was opened.
 */
public class OptionException extends IllegalArgumentException {
  /** The stable code of every bad option. */
  public static final String CODE = "WM1120";

  @Serial private static final long serialVersionUID = 1;

  /** What is in URLs, and in none of the values that options take. */
  private static final Pattern MAY_HOLD_CREDENTIALS = Pattern.compile("//|@|=");

  /**
   * @param message the whole sentence, without the code
   */
  public OptionException(String message) {
    super(CODE + ": " + message);
  }

  /**
   * A value that the option does not take.
   *
   * @param option whose path and accepted values the message names
   * @param value shown (long text cut, control characters escaped), unless the option is secret or
   *     the text looks like a URL or a parameter, which may hold credentials
   * @param why what is wrong with it, such as {@code it must be positive}; it must not repeat a
   *     secret
   */
  public static OptionException refused(Option option, Object value, String why) {
    boolean hidden = option.secret() || MAY_HOLD_CREDENTIALS.matcher(value.toString()).find();
    String verdict = hidden ? " cannot be used: " : " cannot be " + shown(value) + ": ";
    return new OptionException(
        option.path() + verdict + why + ". Accepted: " + option.accepted() + ".");
  }

  /** An option that nothing works without, and that was not given. */
  public static OptionException missing(Option option) {
    return new OptionException(option.path() + " is missing. Accepted: " + option.accepted() + ".");
  }

  /**
   * A path that is no option's; the nearest that is one is suggested.
   *
   * @param path shown, cut and escaped; it must not be what may hold a secret
   * @param known the paths of all options
   */
  public static OptionException unknown(String path, Collection<String> known) {
    String hint =
        OptionText.nearest(path, known).map(near -> "; did you mean " + near + "?").orElse("");
    return new OptionException(
        OptionText.quote(path)
            + " is not an option"
            + hint
            + ". Accepted: "
            + String.join(", ", known)
            + ".");
  }

  private static String shown(Object value) {
    return value instanceof Number ? value.toString() : OptionText.quote(value.toString());
  }

  /** The stable code: {@value #CODE}. */
  public String code() {
    return CODE;
  }
}
