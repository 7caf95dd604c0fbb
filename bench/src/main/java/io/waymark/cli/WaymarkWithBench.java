package io.waymark.cli;

import java.io.PrintWriter;
import picocli.CommandLine;

/** The command line with {@code bench}, for a jar that holds the peers too. */
public final class WaymarkWithBench {
  private WaymarkWithBench() {}

  /** Runs a command and ends the JVM with its exit status. */
  public static void main(String[] args) {
    Waymark.main(commands(), args);
  }

  /** Runs a command without ending the JVM. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return Waymark.run(commands(), out, err, args);
  }

  private static CommandLine commands() {
    CommandLine line = new CommandLine(new Waymark());
    line.getCommandSpec().removeSubcommand("bench");
    CommandLine bench = new CommandLine(new BenchCommand());
    bench.addSubcommand(new TopologyBenchCommand());
    bench.addSubcommand(new RoutingBenchCommand());
    return line.addSubcommand(bench);
  }
}
