package io.waymark.cli.queue;

import io.waymark.cli.processes.Wire;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * The main class of the demo's processes. Each works until its standard input ends, which it does
 * with the demo, however that dies.
 */
public final class Worker {
  private Worker() {}

  /**
   * Runs one worker.
   *
   * @param args its name, the demo's folder, the URL of the database or the empty text, and the
   *     seed
   * @throws Exception if it cannot work
   */
  public static void main(String[] args) throws Exception {
    String name = args[0];
    Place place = new Place(Path.of(args[1]), args[2]);
    try (PrintStream out = Wire.lines()) {
      if (Place.HOSTS.contains(name)) {
        HostWorker.work(place, name, out);
      } else if (Place.TARGETS.contains(name)) {
        ConsumerWorker.work(place, name, out);
      } else {
        ProducerWorker.work(place, name, Long.parseLong(args[3]), out);
      }
    }
    System.exit(0); // libraries may have left threads
  }
}
