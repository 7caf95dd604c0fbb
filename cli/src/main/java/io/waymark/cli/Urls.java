package io.waymark.cli;

import java.util.regex.Pattern;

/** URLs as they may be shown. */
final class Urls {
  /** Parameters, and a user before the host: both may hold credentials. */
  private static final Pattern CREDENTIALS =
      Pattern.compile(
          "((?:jdbc:[A-Za-z0-9+.-]*:(?://)?|rediss?://|etcd://))([^\\s'\"/@]*@)?([^\\s'\"?]*)(\\?[^\\s'\"]*)?");

  private Urls() {}

  /** A text without the credentials of the URLs in it. */
  static String redacted(String text) {
    return CREDENTIALS.matcher(text).replaceAll("$1$3");
  }
}
