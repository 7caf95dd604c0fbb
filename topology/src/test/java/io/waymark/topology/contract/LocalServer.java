package io.waymark.topology.contract;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.waymark.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A real server on loopback for the tests of a store, with levers for its death and its silence.
 */
public final class LocalServer implements AutoCloseable {
  private final FreePort port;
  private final List<String> command;
  private final Path log;
  private final Thread hook;
  private @Nullable Process process;

  private LocalServer(FreePort port, List<String> command, Path log) {
    this.port = port;
    this.command = command;
    this.log = log;
    this.hook = new Thread(this::kill);
  }

  /**
   * Where a program is; the test is skipped with a word where it is not installed.
   *
   * @param program the name of the program
   * @param remedy how it can be had
   */
  public static String installed(String program, String remedy) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin");
    String found =
        Stream.of(path.split(File.pathSeparator))
            .map(folder -> Path.of(folder, program))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst()
            .orElse("");
    assumeThat(found)
        .as("%s is not installed, so its store is not tested: %s", program, remedy)
        .isNotEmpty();
    return found;
  }

  /** Starts a server and waits until it listens. */
  public static LocalServer start(FreePort port, List<String> command) {
    try {
      Path log = Files.createTempFile("waymark-server-", ".log");
      LocalServer server = new LocalServer(port, command, log);
      Runtime.getRuntime().addShutdownHook(server.hook);
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port that it listens on. */
  public int port() {
    return port.number();
  }

  /** Starts it again where it was. */
  public void start() {
    port.release();
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Awaitility.await("server " + command.get(0) + ", log in " + log)
        .atMost(Duration.ofSeconds(30))
        .until(this::listens);
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Kills it; its port stays its own. */
  public void kill() {
    Process running = process;
    process = null;
    if (running != null) {
      running.destroyForcibly();
      try {
        running.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link #kill}, and nobody else gets its port. */
  public void down() {
    kill();
    port.hold();
  }

  /** Lets it fall silent, or go on. */
  public void signal(String signal) throws IOException, InterruptedException {
    Process running = Objects.requireNonNull(process, "it is down");
    new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " " + running.pid())
        .start()
        .waitFor();
  }

  /** Ends it. */
  @Override
  public void close() {
    kill();
    port.close();
    Runtime.getRuntime().removeShutdownHook(hook);
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
