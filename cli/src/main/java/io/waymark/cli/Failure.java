package io.waymark.cli;

import io.waymark.core.OptionException;
import io.waymark.testing.postgres.PostgresClusterException;
import java.io.IOException;
import java.sql.SQLException;
import picocli.CommandLine;

/**
 * Says in a line why a command could not do its work. Only a defect of our own shows where it
 * happened.
 */
final class Failure implements CommandLine.IExecutionExceptionHandler {
  Failure() {}

  @Override
  public int handleExecutionException(
      Exception e, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
    String name = command.getCommandSpec().qualifiedName();
    if (e instanceof OptionException) {
      command.getErr().println(name + ": " + Urls.redacted(String.valueOf(e.getMessage())));
      command.getErr().println("See '" + name + " --help'.");
      return ExitStatus.WRONG_USE;
    }
    boolean expected =
        e instanceof SQLException
            || e instanceof IOException
            || e instanceof PostgresClusterException;
    if (!expected) {
      throw e;
    }
    command
        .getErr()
        .println(
            name + ": " + (e instanceof PostgresClusterException ? e.getMessage() : oneLine(e)));
    return ExitStatus.NOT_HELD;
  }

  /** What a failure says, without line breaks and credentials. */
  static String oneLine(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return Urls.redacted(message).strip().replaceAll("\\s+", " ");
  }
}
