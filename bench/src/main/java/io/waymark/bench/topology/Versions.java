package io.waymark.bench.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What programs say of their version. */
final class Versions {
  private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");

  private Versions() {}

  /** The first version number in what a program says. */
  static String of(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher number = NUMBER.matcher(said);
      return number.find() ? number.group() : "?";
    } catch (IOException e) {
      return "?";
    }
  }
}
