package io.waymark.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code waymark bench} in a jar that does not have it: the peers that it compares Waymark with are
 * no part of a tool for operators. The script of a checkout runs the one that has.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Compares Waymark with its peers on real servers; from a checkout only.",
    footerHeading = "%nExample:%n",
    footer = "  ./waymark bench --help")
final class BenchElsewhere implements Runnable {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  /** Whatever it is asked to do, it is not here. */
  @SuppressWarnings("UnusedVariable")
  @CommandLine.Unmatched
  private List<String> options = new ArrayList<>();

  BenchElsewhere() {}

  @Override
  public void run() {
    if (spec != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "this jar has no peers to compare with. Run ./waymark bench from a checkout.");
    }
  }
}
