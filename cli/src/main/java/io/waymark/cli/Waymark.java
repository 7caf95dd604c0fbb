package io.waymark.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the command line. */
@Command(
    name = "waymark",
    mixinStandardHelpOptions = true,
    versionProvider = Waymark.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Shows where calls to a PostgreSQL primary and its replicas go, and why, and operates groups",
      "of shards."
    },
    subcommands = {
      DemoCommand.class,
      ProbeCommand.class,
      ExplainCommand.class,
      TopologyCommand.class,
      BenchElsewhere.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  waymark demo",
      "  waymark probe --user app jdbc:postgresql://db-a/app jdbc:postgresql://db-b/app",
      "  waymark explain --user app jdbc:postgresql://db-a/app jdbc:postgresql://db-b/app",
      "  waymark topology list --database jdbc:postgresql://db/topology --user ops",
      "  waymark bench --peer spring",
      "",
      "Exit status: 0 all held, 1 something did not hold, 2 wrong use."
    })
final class Waymark implements Runnable {
  @CommandLine.Spec private CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

  Waymark() {}

  /** Runs a command and ends the JVM with its exit status. */
  public static void main(String[] args) {
    main(new CommandLine(new Waymark()), args);
  }

  /** Runs one of the given commands and ends the JVM with its exit status. */
  static void main(CommandLine line, String... args) {
    PrintWriter out = new PrintWriter(System.out, true, charset());
    PrintWriter err = new PrintWriter(System.err, true, charset());
    int status = run(line, out, err, args);
    out.flush();
    err.flush();
    System.exit(status);
  }

  /** The locale's; JDK 17 would take it from {@code file.encoding}. */
  static Charset charset() {
    String name = System.getProperty("native.encoding", "");
    return Charset.isSupported(name.isEmpty() ? "?" : name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }

  /** Runs a command without ending the JVM. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(new CommandLine(new Waymark()), out, err, args);
  }

  /** Runs one of the given commands. */
  static int run(CommandLine line, PrintWriter out, PrintWriter err, String... args) {
    line.setOut(out);
    line.setErr(err);
    line.setExpandAtFiles(false); // a password may start with an @
    line.setUsageHelpWidth(96);
    line.setParameterExceptionHandler(new WrongUse());
    line.setExecutionExceptionHandler(new Failure());
    return line.execute(complete(args));
  }

  /** {@code demo} without a name is {@code demo postgres}. */
  static String[] complete(String... args) {
    boolean named =
        args.length < 1
            || !args[0].equals("demo")
            || (args.length > 1
                && List.of(
                        "postgres", "shards", "queue", "routing", "-h", "--help", "-V", "--version")
                    .contains(args[1]));
    if (named) {
      return args;
    }
    List<String> completed = new ArrayList<>(List.of("demo", "postgres"));
    completed.addAll(Arrays.asList(args).subList(1, args.length));
    return completed.toArray(String[]::new);
  }

  /** Without a command there is nothing to do: wrong use, and the help says what there is. */
  @Override
  public void run() {
    if (spec != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "a command is missing. Accepted: demo, probe, explain, topology or bench.");
    }
  }

  /** The version that the jar was built as. */
  static final class Version implements CommandLine.IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
      String version = Waymark.class.getPackage().getImplementationVersion();
      return new String[] {
        "waymark " + (version == null ? "(not built as a jar)" : version),
        "Java " + System.getProperty("java.version")
      };
    }
  }
}
