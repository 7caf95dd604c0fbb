package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link CoordinatorProcess} in a JVM of its own, read line by line. */
final class KilledProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private KilledProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  static KilledProcess start(Path folder, String database) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(CoordinatorProcess.class.getName());
    command.addAll(List.of(folder.toString(), database));
    return new KilledProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line; nothing if it has ended. */
  @Nullable String line() throws IOException {
    return out.readLine();
  }

  KilledProcess awaitOpen() throws IOException {
    assertThat(line()).isEqualTo("open");
    return this;
  }

  /** SIGKILL; what it had said and nobody has read yet. */
  List<String> kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // the process itself would close its output too
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    List<String> said = new ArrayList<>();
    for (String line = line(); line != null; line = line()) {
      said.add(line);
    }
    return said;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
