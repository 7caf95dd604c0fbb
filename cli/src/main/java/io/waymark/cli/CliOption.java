package io.waymark.cli;

import io.waymark.core.Option;

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
