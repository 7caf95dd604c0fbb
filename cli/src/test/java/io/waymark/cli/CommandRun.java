package io.waymark.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A command that was run in this JVM.
 *
 * @param status its exit status
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
record CommandRun(int status, String out, String err) {
  static CommandRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Waymark.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new CommandRun(status, out.toString(), err.toString());
  }

  /** Both streams. */
  String all() {
    return out + err;
  }
}
