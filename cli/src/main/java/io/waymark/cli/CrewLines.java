package io.waymark.cli;

import io.waymark.cli.processes.Events;
import java.io.PrintWriter;
import java.time.Duration;

/** What demos with processes of their own tell as plain lines, for a log or a pipe. */
final class CrewLines {
  private static final long EVERY_MILLIS = 2000;

  private final PrintWriter out;
  private String phase = "";
  private long events;
  private long next;

  CrewLines(PrintWriter out) {
    this.out = out;
  }

  /**
   * Tells of a new phase and of new events.
   *
   * @return whether it is time to tell how it stands
   */
  boolean tell(Duration elapsed, String now, Events done) {
    long millis = elapsed.toMillis();
    if (!now.equals(phase)) {
      phase = now;
      next = 0;
      out.printf("%6.1f s  == %s%n", millis / 1000.0, phase);
    }
    int fresh = (int) Math.min(done.latest().size(), done.count() - events);
    events = done.count();
    done.latest().subList(done.latest().size() - fresh, done.latest().size()).stream()
        .forEach(out::println);
    boolean due = millis >= next;
    if (due) {
      next = millis + EVERY_MILLIS;
    }
    return due;
  }
}
