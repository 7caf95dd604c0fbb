package io.waymark.cli;

import io.waymark.core.OptionException;
import io.waymark.core.WaymarkException;
import io.waymark.durable.DurableStoreException;
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
            || e instanceof PostgresClusterException
            || e instanceof DurableStoreException
            || e instanceof WaymarkException
            || e instanceof Refusal;
    if (!expected) {
      throw e;
    }
    command
        .getErr()
        .println(
            name
                + ": "
                + (e instanceof PostgresClusterException ? e.getMessage() : oneLine(e))
                + remedy(e));
    return ExitStatus.NOT_HELD;
  }

  /** What the message of a library cannot know: what to do with this tool. */
  private static String remedy(Exception e) {
    if (!(e instanceof DurableStoreException failure)) {
      return "";
    }
    return switch (failure.error()) {
      case IN_USE ->
          " Here: to look, read what its coordinator publishes, with --store and without"
              + " --database; to change something, let the coordinator do it, or stop it first.";
      case SCHEMA ->
          " Is this the database of a coordinator, and --schema the schema of its tables? This tool"
              + " makes and changes no tables; the coordinator does when it starts.";
      case OUTCOME_UNKNOWN -> " See 'waymark topology show' for what holds.";
      case FAILED, CLOSED, FENCED, REFUSED, CONFLICT, SETTLED -> "";
    };
  }

  /** What a failure says, without line breaks and credentials. */
  static String oneLine(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return Urls.redacted(message).strip().replaceAll("\\s+", " ");
  }
}
