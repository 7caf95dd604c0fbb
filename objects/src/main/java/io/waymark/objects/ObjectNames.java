package io.waymark.objects;

import io.waymark.core.Option.Tier;
import io.waymark.core.OptionException;
import io.waymark.core.OptionFacts;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What objects may be called, and the files of their names. In the name of a file, lower-case
 * letters, digits and the hyphen stand for themselves, and every other byte of the UTF-8 form is
 * {@code _} and two hexadecimal digits. So no two names share a file, also where the file system
 * does not tell upper from lower case, and no name leads out of the folder.
 */
final class ObjectNames {
  private static final OptionFacts NAME =
      new OptionFacts(
          "the name of an object",
          "",
          "up to 128 characters, not blank, without white space around it and control characters",
          "",
          "",
          Tier.ESSENTIAL);
  private static final OptionFacts HINT =
      new OptionFacts("the placement hint", "", NAME.accepted(), "", "", Tier.RARE);

  private static final String END = ".db";

  /** With what SQLite and the lock append it stays below the 255 bytes of common file systems. */
  private static final int LONGEST_FILE = 240;

  private ObjectNames() {}

  /**
   * A name that may be used.
   *
   * @throws OptionException if it is blank, longer than 128 characters, starts or ends with white
   *     space, or holds control characters or half a surrogate pair
   */
  static String check(String name) {
    return OptionValue.name(NAME, name);
  }

  /** A hint that may be used; the same rules. */
  static String checkHint(String hint) {
    return OptionValue.name(HINT, hint);
  }

  /**
   * The file of a name.
   *
   * @throws OptionException if no file can be called so
   */
  static String file(String name) {
    StringBuilder file = new StringBuilder();
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain(each)) {
        file.append((char) each);
      } else {
        file.append('_').append(HexFormat.of().toHexDigits(each));
      }
    }
    if (file.length() > LONGEST_FILE) {
      throw OptionException.refused(
          NAME, name, "it is too long for a file: all but a-z, 0-9 and - counts three times");
    }
    return file.append(END).toString();
  }

  /** The name of a file; empty if it is no object's. */
  static Optional<String> ofFile(String file) {
    if (!file.endsWith(END)) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate(file.length());
    for (int i = 0; i < file.length() - END.length(); i++) {
      char each = file.charAt(i);
      if (each == '_') {
        int high = i + 2 < file.length() ? Character.digit(file.charAt(i + 1), 16) : -1;
        int low = i + 2 < file.length() ? Character.digit(file.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          return Optional.empty();
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      } else {
        bytes.put((byte) each);
      }
    }
    return decoded(bytes.flip())
        .filter(name -> !name.isBlank() && OptionText.isPlain(name))
        .filter(name -> fileOrEmpty(name).equals(file)); // one spelling each, or it is not ours
  }

  private static String fileOrEmpty(String name) {
    try {
      return file(check(name));
    } catch (OptionException e) {
      return "";
    }
  }

  private static Optional<String> decoded(ByteBuffer bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isPlain(byte each) {
    return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-';
  }
}
