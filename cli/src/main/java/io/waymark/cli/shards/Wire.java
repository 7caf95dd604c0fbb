package io.waymark.cli.shards;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/** How the demo and its workers talk: one JSON object per line. */
final class Wire {
  private static final JsonMapper JSON = new JsonMapper();

  private Wire() {}

  static String text(Object value) {
    return JSON.writeValueAsString(value);
  }

  static <T> T value(String line, Class<T> type) {
    return JSON.readValue(line, type);
  }

  /** Says something to the demo: a whole line at once, from any thread. */
  static void say(PrintStream out, Said said) {
    // The type of what is written must be the sealed one, or its name would be left out.
    out.println(JSON.writerFor(Said.class).writeValueAsString(said));
  }

  /** Hands on each order of the demo until there are no more: then the demo is gone. */
  static void orders(Consumer<Order> each) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      each.accept(value(line, Order.class));
    }
  }
}
