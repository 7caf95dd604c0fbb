package io.waymark.cli.processes;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/** How the demo and its workers talk: one JSON object per line. */
public final class Wire {
  private static final JsonMapper JSON = new JsonMapper();

  private Wire() {}

  /** A value as one line. */
  public static String text(Object value) {
    return JSON.writeValueAsString(value);
  }

  /** The value of a line. */
  public static <T> T value(String line, Class<T> type) {
    return JSON.readValue(line, type);
  }

  /** A worker's standard output, which keeps whole lines together. */
  public static PrintStream lines() {
    return new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  }

  /**
   * Says something to the demo: a whole line at once, from any thread.
   *
   * @param type the sealed type; by that of the value its name would be left out
   */
  public static <S> void say(PrintStream out, Class<S> type, S said) {
    out.println(JSON.writerFor(type).writeValueAsString(said));
  }

  /** Hands on each order of the demo until there are no more: then the demo is gone. */
  public static <O> void orders(Class<O> type, Consumer<? super O> each) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      each.accept(value(line, type));
    }
  }
}
