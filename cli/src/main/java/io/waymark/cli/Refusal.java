package io.waymark.cli;

import java.io.Serial;

/** What was asked for cannot be done as things are; the message names the thing and the remedy. */
final class Refusal extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  Refusal(String message) {
    super(message);
  }
}
