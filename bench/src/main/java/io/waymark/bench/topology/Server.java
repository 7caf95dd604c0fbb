package io.waymark.bench.topology;

import io.waymark.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A server's process on loopback, with a folder in memory where there is one; ends with the JVM.
 */
final class Server implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path folder;
  private final FreePort port;
  private final Process process;
  private final Thread hook;

  /** The command that starts a server with this folder and this port. */
  @FunctionalInterface
  interface Command {
    List<String> of(Path folder, int port) throws IOException;
  }

  private Server(Path folder, FreePort port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
    this.hook = new Thread(this::end, "bench-server-end");
  }

  /** Starts it and waits until it listens. */
  static Server start(Command command) throws IOException {
    Path folder =
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, "waymark-bench-")
            : Files.createTempDirectory("waymark-bench-");
    FreePort port = FreePort.find();
    List<String> words = command.of(folder, port.number());
    port.release();
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.log").toFile())
            .start();
    Server server = new Server(folder, port, process);
    Runtime.getRuntime().addShutdownHook(server.hook);
    server.awaitListening();
    return server;
  }

  /**
   * Where a program is.
   *
   * @throws IOException if it is not installed
   */
  static String program(String name, String debianPackage) throws IOException {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin");
    return Stream.of(path.split(File.pathSeparator))
        .map(each -> Path.of(each, name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    name + " is not installed; on Debian: apt-get install " + debianPackage));
  }

  private void awaitListening() throws IOException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!listens()) {
      if (!process.isAlive() || System.nanoTime() - until > 0) {
        String said = Files.readString(folder.resolve("server.log"));
        end();
        throw new IOException(
            "the server did not start: " + said.substring(Math.max(0, said.length() - 400)));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port.number();
  }

  private void end() {
    process.destroyForcibly();
    try (Stream<Path> all = Files.walk(folder)) {
      process.waitFor(10, TimeUnit.SECONDS);
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      System.err.println(folder + " is left behind: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    end();
    port.close();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
