package io.waymark.postgres;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.waymark.testing.FreePort;
import io.waymark.testing.postgres.PostgresNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PgBouncer before some servers, one server behind each database name. */
final class PgBouncer implements AutoCloseable {
  private final Path folder;
  private final Process process;
  private final int port;

  private PgBouncer(Path folder, Process process, int port) {
    this.folder = folder;
    this.process = process;
    this.port = port;
  }

  /** Starts one, or skips the test where the program is not installed. */
  static PgBouncer start(String mode, int poolSize, List<PostgresNode> nodes)
      throws IOException, InterruptedException {
    Optional<Path> program =
        Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    assumeThat(program)
        .as("PgBouncer is not installed, so nothing behind it is tested: apt-get install pgbouncer")
        .isPresent();
    Path folder = Files.createTempDirectory("waymark-pgbouncer-");
    int port;
    try (FreePort free = FreePort.find()) {
      port = free.number();
    }
    StringBuilder config = new StringBuilder("[databases]\n");
    for (PostgresNode node : nodes) {
      config.append(
          "%s = host=127.0.0.1 port=%d dbname=postgres user=postgres%n"
              .formatted(node.name(), node.port()));
    }
    config.append(
        """
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = %s
        default_pool_size = %d
        ignore_startup_parameters = extra_float_digits
        server_login_retry = 0.2
        """
            .formatted(port, mode, poolSize));
    Path file = Files.writeString(folder.resolve("pgbouncer.ini"), config);
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U")); // it refuses to run as root
    }
    command.addAll(List.of(program.orElseThrow().toString(), file.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    PgBouncer started = new PgBouncer(folder, process, port);
    started.await();
    return started;
  }

  private void await() throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (process.isAlive() && System.nanoTime() < until) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
        return;
      } catch (IOException e) {
        process.waitFor(50, TimeUnit.MILLISECONDS);
      }
    }
    String log = Files.readString(folder.resolve("log"));
    close();
    throw new IOException("PgBouncer did not start: " + log);
  }

  String url(PostgresNode node) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + node.name();
  }

  /** Ends this very process. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
