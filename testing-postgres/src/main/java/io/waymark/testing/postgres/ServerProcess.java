package io.waymark.testing.postgres;

import io.waymark.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server's processes: the postmaster, which the JVM starts itself, and its children. Its port
 * is held while it is down. Thread safe.
 */
final class ServerProcess {

  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
  private static final int TAIL_LINES = 40;
  private static final int STATUS_LINE = 7;
  private static final int MEMORY_LINE = 6;
  private static final Duration QUIT_PATIENCE = Duration.ofSeconds(5);

  private final String name;
  private final Path home;
  private final Installation installation;
  private final Privileges privileges;
  private final Duration timeout;
  private final FreePort port = FreePort.find();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Process process;
  private volatile boolean frozen;

  ServerProcess(
      String name, Path home, Installation installation, Privileges privileges, Duration timeout) {
    this.name = name;
    this.home = home;
    this.installation = installation;
    this.privileges = privileges;
    this.timeout = timeout;
  }

  Path home() {
    return home;
  }

  Path data() {
    return home.resolve("data");
  }

  int port() {
    return port.number();
  }

  boolean isFrozen() {
    return frozen;
  }

  boolean isRunning() {
    lock.lock();
    try {
      return process != null && process.isAlive();
    } finally {
      lock.unlock();
    }
  }

  /** The postmaster's process id, or -1 if it is down. */
  long pid() {
    lock.lock();
    try {
      return process != null && process.isAlive() ? process.pid() : -1;
    } finally {
      lock.unlock();
    }
  }

  /** Starts the postmaster without waiting for it. Does nothing if it runs. */
  void launch() {
    lock.lock();
    try {
      if (isRunning()) {
        return;
      }
      if (privileges.changesUser()) {
        Folders.chown(home, privileges.uid());
      }
      // The process id in a killed server's file may be somebody else's by now.
      Files.deleteIfExists(pidFile());
      List<String> command = new ArrayList<>(privileges.prefix());
      command.addAll(List.of(installation.program("postgres"), "-D", data().toString()));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(data().toFile())
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
      builder.environment().keySet().removeIf(key -> key.startsWith("PG"));
      builder.environment().put("LC_ALL", "C");
      port.release();
      process = builder.start();
      frozen = false;
    } catch (IOException e) {
      throw new PostgresClusterException(name + " cannot be started: " + e, e);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the server accepts connections. */
  void awaitReady() {
    boolean ready = Wait.reached(timeout, () -> !isRunning() || isReady());
    if (!ready || !isRunning()) {
      String what =
          ready
              ? " ended while it started."
              : " does not accept connections after " + timeout.toMillis() + " ms.";
      throw new PostgresClusterException(name + what + " Its log ends:\n" + tail());
    }
  }

  /** The postmaster writes its state into its pid file; this is what pg_ctl looks at too. */
  private boolean isReady() {
    List<String> lines = pidFileLines();
    return lines.size() > STATUS_LINE
        && lines.get(0).strip().equals(Long.toString(pid()))
        && lines.get(STATUS_LINE).strip().equals("ready");
  }

  private List<String> pidFileLines() {
    try {
      return Files.readAllLines(pidFile(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of();
    }
  }

  private Path pidFile() {
    return data().resolve("postmaster.pid");
  }

  /** Whether the last start failed because somebody took the port. */
  boolean lostPort() {
    return !isRunning() && tail().contains("could not bind");
  }

  /** Ends the server in order: clients are disconnected, standbys get everything. */
  void stop() {
    end("INT", timeout);
  }

  /** Ends the server at once; it will recover from its log at the next start. */
  void quit() {
    if (frozen) {
      kill();
    } else {
      end("QUIT", QUIT_PATIENCE);
    }
  }

  private void end(String signal, Duration patience) {
    lock.lock();
    try {
      Process running = process;
      if (running != null && running.isAlive()) {
        Signals.send(signal, List.of(running.pid()));
        if (!awaitExit(running, patience)) {
          LOG.warn("{} did not end within {} after {}; killing it", name, patience, signal);
          kill();
        }
      }
      down();
    } finally {
      lock.unlock();
    }
  }

  private static boolean awaitExit(Process process, Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Kills the postmaster and all its children. When it returns, none of them is left. */
  void kill() {
    lock.lock();
    try {
      Process running = process;
      if (running != null && running.isAlive()) {
        List<Long> family = haltedFamily(running);
        String memory = sharedMemory();
        Signals.send("KILL", family);
        Wait.until(
            timeout,
            () -> family.stream().allMatch(Signals::gone),
            () -> new PostgresClusterException(name + " cannot be killed: processes " + family));
        // A killed server cannot give its one segment of System V memory back.
        if (!memory.isEmpty()) {
          Command.run(List.of("ipcrm", "-m", memory));
        }
      }
      down();
    } finally {
      lock.unlock();
    }
  }

  private String sharedMemory() {
    List<String> lines = pidFileLines();
    if (lines.size() <= MEMORY_LINE) {
      return "";
    }
    String[] words = lines.get(MEMORY_LINE).strip().split("\\s+", -1);
    return words.length == 2 ? words[1] : "";
  }

  private void down() {
    frozen = false;
    process = null;
    try {
      port.hold();
    } catch (UncheckedIOException e) {
      LOG.debug("{} is down and its port {} is not held", name, port, e);
    }
  }

  /** Stops all processes where they are. */
  void freeze() {
    lock.lock();
    try {
      Process running = process;
      if (running != null && running.isAlive()) {
        haltedFamily(running);
        frozen = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The postmaster first, so that it makes no more children while they are listed. */
  private static List<Long> haltedFamily(Process postmaster) {
    Signals.send("STOP", List.of(postmaster.pid()));
    List<Long> family = new ArrayList<>();
    postmaster.descendants().forEach(child -> family.add(child.pid()));
    if (!family.isEmpty()) {
      Signals.send("STOP", family);
    }
    family.add(postmaster.pid());
    return family;
  }

  /** Lets frozen processes run on. */
  void thaw() {
    lock.lock();
    try {
      Process running = process;
      if (running != null && running.isAlive()) {
        List<Long> family = new ArrayList<>();
        running.descendants().forEach(child -> family.add(child.pid()));
        family.add(running.pid());
        Signals.send("CONT", family);
      }
      frozen = false;
    } finally {
      lock.unlock();
    }
  }

  Path logFile() {
    return home.resolve("server.log");
  }

  /** The last lines of the server's log. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(logFile(), StandardCharsets.UTF_8);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }

  /** Ends the server if it runs and gives the port back. */
  void close() {
    quit();
    port.close();
  }
}
