package io.waymark.cli.queue;

import io.waymark.cli.processes.Wire;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Says again and again how it stands with a worker, until that ends. */
final class Reports {
  private static final long EVERY_MILLIS = 200;

  private Reports() {}

  static void begin(PrintStream out, Supplier<Said> said) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!Thread.currentThread().isInterrupted()) {
                  Wire.say(out, Said.class, said.get());
                  TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "waymark-demo-reports");
    thread.setDaemon(true);
    thread.start();
  }
}
