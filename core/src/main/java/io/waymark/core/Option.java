package io.waymark.core;

/**
 * One option of one product. A product's options are the constants of one enum, which is the single
 * source for parsing, messages and documentation.
 */
public interface Option {
  /** How likely a user is to need it. */
  enum Tier {
    /** Nothing works without it. */
    ESSENTIAL,
    /** Often set. */
    FREQUENT,
    /** Rarely set; the default serves nearly everyone. */
    RARE
  }

  /** The path in text form, such as {@code routing.maxLag}. */
  String path();

  /** The default in text form; empty where there is none. */
  String defaultText();

  /** What is accepted, as a message would say it: {@code "session" or "eventual"}. */
  String accepted();

  /** What it does, in one or two sentences of plain text. */
  String description();

  /** How likely a user is to need it. */
  Tier tier();

  /** Whether its value may hold a secret and must not be shown. */
  boolean secret();
}
