package io.waymark.topology;

import io.waymark.core.OptionText;

/** What groups, members and authorities may be called: names travel into keys, logs and metrics. */
final class Names {
  /** Fits every store's keys and, encoded, a file's name. */
  static final int LONGEST = 128;

  private Names() {}

  /**
   * A name that may be used.
   *
   * @param what whose name it is, for the message
   * @throws IllegalArgumentException if it is blank, longer than 128 characters, starts or ends
   *     with white space, or holds control characters
   */
  static String check(String what, String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
    return checkText(what, name, LONGEST);
  }

  /** As {@link #check}, for text of another length that may be empty. */
  static String checkText(String what, String text, int longest) {
    if (text.length() > longest) {
      throw refused(what, text, "is longer than " + longest + " characters");
    }
    if (!text.equals(text.strip())) {
      throw refused(what, text, "starts or ends with white space");
    }
    if (!OptionText.isPlain(text)) {
      throw refused(what, text, "holds control characters");
    }
    return text;
  }

  private static IllegalArgumentException refused(String what, String text, String why) {
    return new IllegalArgumentException(what + " " + OptionText.quote(text) + " " + why);
  }
}
