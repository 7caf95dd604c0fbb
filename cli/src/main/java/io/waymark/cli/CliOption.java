package io.waymark.cli;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;

/**
 * An option of a command, so that the library's own parsers read it and say what they accept.
 *
 * @param path as it is written on the command line
 * @param accepted what is accepted, as a message would say it
 * @param secret whether its value may hold a secret and must not be shown
 */
record CliOption(String path, String accepted, boolean secret) implements Option {
  CliOption(String path, String accepted) {
    this(path, accepted, false);
  }

  /** An option that takes a whole number. */
  static CliOption wholeNumber(String path, int least, int most) {
    return new CliOption(path, "a whole number from " + least + " to " + most);
  }

  /**
   * The number that a text is.
   *
   * @throws OptionException if it is none, or outside of the bounds
   */
  int number(String text, int least, int most) {
    int number = text.strip().equals("0") ? 0 : OptionText.positiveInt(this, text);
    if (number < least || number > most) {
      throw OptionException.refused(
          this, text, number < least ? "it is too small" : "it is too large");
    }
    return number;
  }

  @Override
  public String defaultText() {
    return "";
  }

  @Override
  public String description() {
    return "";
  }

  @Override
  public Tier tier() {
    return Tier.FREQUENT;
  }
}
