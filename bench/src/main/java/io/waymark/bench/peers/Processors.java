package io.waymark.bench.peers;

import io.waymark.testing.postgres.PostgresCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives the client one processor and all servers another while calls are timed. Left alone, the
 * scheduler puts a server's process next to its client or away from it and leaves it there for
 * seconds: that alone makes one of two equal calls take twice or half the time of the other.
 *
 * <p>Needs Linux's {@code taskset} and two processors; without them nothing is done, and said.
 */
final class Processors implements AutoCloseable {
  private static final Pattern LIST = Pattern.compile(": ([0-9]+)(?:[-,0-9]*[-,]([0-9]+))?\\s*$");
  private static final long PATIENCE_SECONDS = 10;

  private final PostgresCluster cluster;
  private final @Nullable String all;

  private Processors(PostgresCluster cluster, @Nullable String all) {
    this.cluster = cluster;
    this.all = all;
  }

  /** Sets them apart until closed: what servers fork from here on stays with the servers. */
  static Processors apart(PostgresCluster cluster) {
    long self = ProcessHandle.current().pid();
    try {
      String said = taskset("-c", "-p", Long.toString(self));
      Matcher list = LIST.matcher(said);
      if (!list.find() || list.group(2) == null) {
        throw new IOException("one processor only");
      }
      Processors apart = new Processors(cluster, said.substring(said.lastIndexOf(':') + 1).strip());
      apart.put(list.group(1), list.group(2));
      return apart;
    } catch (IOException e) {
      System.err.println(
          "client and servers share processors, which makes the times coarse: " + e.getMessage());
      return new Processors(cluster, null);
    }
  }

  private void put(String client, String servers) throws IOException {
    for (var node : cluster.nodes()) {
      taskset("-c", "-p", servers, Long.toString(node.pid()));
    }
    taskset("-a", "-c", "-p", client, Long.toString(ProcessHandle.current().pid()));
  }

  private static String taskset(String... arguments) throws IOException {
    String[] command = new String[arguments.length + 1];
    command[0] = "taskset";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("taskset: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return said;
  }

  /** Everybody may run everywhere again. */
  @Override
  public void close() {
    if (all != null) {
      try {
        put(all, all);
      } catch (IOException e) {
        System.err.println("the processors are not shared again: " + e.getMessage());
      }
    }
  }
}
