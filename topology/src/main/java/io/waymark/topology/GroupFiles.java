package io.waymark.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names of files for groups: readable where the group's name is plain, distinct also where a file
 * system ignores case, and never longer than file systems take.
 */
final class GroupFiles {
  private static final String PREFIX = "g-";
  private static final String SUFFIX = ".json";
  private static final int LONGEST = 120;
  private static final HexFormat HEX = HexFormat.of();

  private GroupFiles() {}

  static String name(String group) {
    StringBuilder name = new StringBuilder(PREFIX);
    for (byte each : group.getBytes(UTF_8)) {
      boolean plain = (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-';
      if (plain) {
        name.append((char) each);
      } else {
        name.append('%').append(HEX.toHexDigits(each));
      }
    }
    if (name.length() > LONGEST) {
      name.setLength(LONGEST);
      name.append('~').append(digest(group));
    }
    return name.append(SUFFIX).toString();
  }

  static String temporary(String group) {
    return "." + name(group) + ".next";
  }

  /** Whether a file holds a group: not the lock, nor a file that was not renamed yet. */
  static boolean isOne(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  private static String digest(String group) {
    try {
      return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(group.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
