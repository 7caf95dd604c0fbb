package io.waymark.cli;

import io.waymark.postgres.EndpointProbe;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code waymark probe}: looks once at each of a list of servers. */
@Command(
    name = "probe",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Shows role, position and lag of servers, and whether they fit together.",
    description = {
      "",
      "Looks at each server once, at all of them at the same time, and shows its role, version,"
          + " timeline, position in the log, lag behind the primary and round trip.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  all are reachable, one of them is the primary, and they are one cluster",
      "  1  one of this does not hold, or cannot be told",
      "  2  wrong use",
      "",
      "Example:",
      "  WAYMARK_PASSWORD=... waymark probe --user app jdbc:postgresql://db-a/app \\",
      "      jdbc:postgresql://db-b/app"
    })
final class ProbeCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @CommandLine.Mixin private ServerOptions servers = new ServerOptions();

  ProbeCommand() {}

  @Override
  public Integer call() throws Exception {
    List<String> addresses = servers.addresses();
    Duration timeout = servers.timeout();
    String user = servers.user();
    String password = servers.password();
    JsonFile json = servers.json();
    List<FutureTask<EndpointProbe.Result>> looks = new ArrayList<>();
    for (String url : servers.urls()) {
      looks.add(new FutureTask<>(() -> EndpointProbe.probe(url, user, password, timeout)));
    }
    long deadline = System.nanoTime() + timeout.toNanos();
    for (int i = 0; i < looks.size(); i++) {
      Thread thread = new Thread(looks.get(i), "waymark-probe-" + addresses.get(i));
      thread.setDaemon(true);
      thread.start();
    }
    List<ProbeReport.Look> seen = new ArrayList<>();
    for (int i = 0; i < looks.size(); i++) {
      seen.add(look(addresses.get(i), looks.get(i), deadline, timeout));
    }
    ProbeReport report = ProbeReport.of(seen);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (json == null || !json.isStdout()) {
      report.lines().forEach(out::println);
    }
    if (json != null) {
      json.write(report, out);
    }
    return report.held() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
  }

  private static ProbeReport.Look look(
      String address, FutureTask<EndpointProbe.Result> task, long deadline, Duration timeout)
      throws InterruptedException {
    try {
      long left = Math.max(0, deadline - System.nanoTime());
      return new ProbeReport.Look(address, task.get(left, TimeUnit.NANOSECONDS), null);
    } catch (TimeoutException e) {
      return new ProbeReport.Look(address, null, "no answer in " + Text.duration(timeout));
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      if (!(cause instanceof SQLException)) {
        throw new IllegalStateException("the probe of " + address + " failed", cause);
      }
      return new ProbeReport.Look(address, null, Failure.oneLine(cause));
    }
  }
}
