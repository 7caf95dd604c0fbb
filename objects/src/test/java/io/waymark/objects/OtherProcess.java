package io.waymark.objects;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A JVM of its own that owns the counter acme, and adds to it when it is asked. */
final class OtherProcess implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(2);

  private final Process process;
  private final BufferedReader out;
  private final Writer in;

  private OtherProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = process.outputWriter(StandardCharsets.UTF_8);
  }

  static OtherProcess start(DatabaseStores database) throws IOException {
    return new OtherProcess(
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-Xshare:auto",
                    "-cp",
                    System.getProperty("java.class.path"),
                    OtherProcess.class.getName(),
                    database.url(),
                    database.schema()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  public static void main(String[] arguments) throws IOException {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(arguments[0]);
    pool.setUsername("postgres");
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (HikariDataSource source = new HikariDataSource(pool);
        NamedObjects<Counter> objects =
            NamedObjects.<Counter>postgres(
                    source, "counters", context -> new Counter(context, new Counter.Watch()))
                .inSchema(arguments[1])
                .lease(LEASE)
                .build()) {
      while (orders.readLine() != null) {
        String answer;
        try {
          answer = String.valueOf(Counter.add(objects, "acme"));
        } catch (RuntimeException e) {
          answer = String.valueOf(e.getMessage()).replace('\n', ' ');
        }
        System.out.println(answer);
      }
    }
  }

  /** Gives an order and waits for the answer. */
  String ask(String order) throws IOException {
    in.write(order + "\n");
    in.flush();
    String answer = out.readLine();
    if (answer == null) {
      throw new AssertionError("the other process ended");
    }
    return answer;
  }

  void stop() throws IOException, InterruptedException {
    signal("-STOP");
  }

  void goOn() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start().waitFor();
    if (status != 0) {
      throw new IOException("kill " + signal + " failed");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
