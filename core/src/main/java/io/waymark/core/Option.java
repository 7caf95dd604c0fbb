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

  /** Why the default is what it is, in a sentence of plain text; empty where nothing is to say. */
  default String reason() {
    return "";
  }

  /** How likely a user is to need it. */
  Tier tier();

  /** Whether its value may hold a secret and must not be shown. */
  boolean secret();

  /**
   * The option of one element of a list: the {@code [i]} of the path becomes the index, so that
   * {@code replicas[i].weight} at 0 is {@code replicas[0].weight}.
   *
   * @param index the place in the list, from 0
   */
  default Option at(int index) {
    return new IndexedOption(this, index);
  }
}
