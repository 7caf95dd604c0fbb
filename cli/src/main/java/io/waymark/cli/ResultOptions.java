package io.waymark.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the result of a command that takes its time goes, and how it is watched meanwhile. */
final class ResultOptions {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the result as JSON; - for stdout, and then nothing else.")
  private @Nullable String json;

  @Option(names = "--no-live", description = "Plain lines instead of the live view.")
  private boolean noLive;

  ResultOptions() {}

  /** Where JSON goes; null for nowhere. */
  @Nullable JsonFile json() {
    return json == null ? null : JsonFile.of(json);
  }

  /** Where people read: nowhere if stdout belongs to the JSON text. */
  static PrintWriter out(@Nullable JsonFile json, PrintWriter console) {
    return json != null && json.isStdout() ? new PrintWriter(PrintWriter.nullWriter()) : console;
  }

  /** The terminal to draw on; null where there is none, or it is not wanted. */
  @Nullable LiveScreen screen(@Nullable JsonFile json) {
    return noLive || (json != null && json.isStdout()) ? null : LiveScreen.open(Waymark.charset());
  }

  /** What is watched. */
  @FunctionalInterface
  interface Watched<S, R> {
    /** Runs, and shows a state now and then. */
    R run(Consumer<S> watch) throws Exception;
  }

  /**
   * Runs something and shows its states.
   *
   * @param frame draws a state on a terminal
   * @param lines tells of it where there is none
   */
  <S, R> R watch(
      @Nullable JsonFile json,
      Function<S, List<String>> frame,
      Consumer<S> lines,
      Watched<S, R> watched)
      throws Exception {
    try (LiveScreen screen = screen(json)) {
      if (screen == null) {
        return watched.run(lines);
      }
      Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "waymark-cursor"));
      return watched.run(state -> screen.draw(frame.apply(state)));
    }
  }
}
