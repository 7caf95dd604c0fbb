package io.waymark.cli;

import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Says what was wrong with a command line, and shows nothing of it that may be a secret: neither a
 * URL nor what stands behind an option that nobody knows.
 */
final class WrongUse implements CommandLine.IParameterExceptionHandler {
  WrongUse() {}

  @Override
  public int handleParseException(CommandLine.ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(name + ": " + message(e));
    err.println("See '" + name + " --help'.");
    return ExitStatus.WRONG_USE;
  }

  private static String message(CommandLine.ParameterException e) {
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
      return unmatched(unmatched.getUnmatched().get(0), e.getCommandLine());
    }
    return Urls.redacted(String.valueOf(e.getMessage()));
  }

  private static String unmatched(String argument, CommandLine command) {
    if (!argument.startsWith("-")) {
      List<String> commands = List.copyOf(command.getSubcommands().keySet());
      return "unexpected argument "
          + OptionText.quote(Urls.redacted(argument))
          + (commands.isEmpty() ? "." : ". Accepted: " + String.join(", ", commands) + ".");
    }
    String option = argument.split("=", 2)[0];
    List<String> known =
        command.getCommandSpec().options().stream()
            .flatMap(each -> Stream.of(each.names()))
            .filter(each -> each.startsWith("--"))
            .toList();
    return "unknown option "
        + OptionText.quote(option)
        + OptionText.nearest(option, known).map(near -> "; did you mean " + near + "?").orElse(".")
        + " Accepted: "
        + known.stream().collect(Collectors.joining(", "))
        + ".";
  }
}
