package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Signals to processes, and whether they are still there. Java itself can only send TERM, which
 * PostgreSQL takes as "wait for all clients", and KILL.
 */
final class Signals {

  private Signals() {}

  /** Sends a signal by name, such as {@code INT}; processes that have gone are no error. */
  static void send(String signal, List<Long> pids) {
    if (pids.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "kill -s \"$@\"", "kill"));
    command.add(signal);
    pids.forEach(pid -> command.add(Long.toString(pid)));
    Command.run(command);
  }

  /** Whether a process has ended. A zombie has: only its parent has not noticed yet. */
  static boolean gone(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    if (Files.isDirectory(Path.of("/proc/self"))) {
      try {
        String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
        char state = text.charAt(text.lastIndexOf(')') + 2);
        return state == 'Z' || state == 'X';
      } catch (IOException e) {
        return true;
      }
    }
    return ProcessHandle.of(pid).isEmpty();
  }
}
