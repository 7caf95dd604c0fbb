package io.waymark.cli;

import io.waymark.core.Role;
import io.waymark.postgres.EndpointProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the servers said together. The names are a contract with scripts; what is not known is null.
 *
 * @param held whether there are no problems
 * @param problems what speaks against these servers being one replica set that is up, as sentences
 * @param endpoints in the order of the URLs
 */
record ProbeReport(boolean held, List<String> problems, List<Endpoint> endpoints) {
  /**
   * A server that was looked at.
   *
   * @param address {@code host:port/database}
   * @param result null where it could not be reached
   * @param error why not, in one line; null where it could
   */
  record Look(String address, EndpointProbe.@Nullable Result result, @Nullable String error) {}

  /**
   * One server.
   *
   * @param endpoint {@code host:port/database}
   * @param reachable whether it answered
   * @param role {@code primary} or {@code replica}
   * @param version such as {@code 18.6}
   * @param timeline the timeline that it writes or replays
   * @param systemId the cluster's system identifier
   * @param position where it writes, or what it has replayed
   * @param lagBytes what it has not replayed of the only primary's log
   * @param lagMillis 0 when it is caught up, else the age of the last transaction that it replayed
   * @param roundTripMillis how long its answer took
   * @param state how log flows to it or from it
   * @param error why it could not be reached
   */
  record Endpoint(
      String endpoint,
      boolean reachable,
      @Nullable String role,
      @Nullable String version,
      @Nullable Integer timeline,
      @Nullable String systemId,
      @Nullable String position,
      @Nullable Long lagBytes,
      @Nullable Double lagMillis,
      @Nullable Double roundTripMillis,
      @Nullable String state,
      @Nullable String error) {}

  static ProbeReport of(List<Look> looks) {
    List<Look> primaries = looks.stream().filter(look -> isPrimary(look.result())).toList();
    EndpointProbe.Result primary = primaries.size() == 1 ? primaries.get(0).result() : null;
    List<String> problems = new ArrayList<>();
    unreachable(looks, problems);
    primaries(primaries, problems);
    identifiers(looks, problems);
    return new ProbeReport(
        problems.isEmpty(),
        List.copyOf(problems),
        looks.stream().map(look -> endpoint(look, primary)).toList());
  }

  private static boolean isPrimary(EndpointProbe.@Nullable Result result) {
    return result != null && result.role() == Role.PRIMARY;
  }

  // ---- problems

  private static void unreachable(List<Look> looks, List<String> problems) {
    List<Look> missing = looks.stream().filter(look -> look.result() == null).toList();
    if (!missing.isEmpty()) {
      problems.add("cannot be reached: " + addresses(missing));
    }
  }

  private static void primaries(List<Look> primaries, List<String> problems) {
    if (primaries.isEmpty()) {
      problems.add("there is no primary among them");
    } else if (primaries.size() > 1) {
      problems.add("there are " + primaries.size() + " primaries: " + addresses(primaries));
    }
  }

  private static void identifiers(List<Look> looks, List<String> problems) {
    Map<String, List<Look>> systems = new TreeMap<>();
    List<Look> unknown = new ArrayList<>();
    for (Look look : looks) {
      EndpointProbe.Result result = look.result();
      if (result != null && result.systemId().isPresent()) {
        systems.computeIfAbsent(result.systemId().get(), key -> new ArrayList<>()).add(look);
      } else if (result != null) {
        unknown.add(look);
      }
    }
    if (systems.size() > 1) {
      problems.add(
          "they are not one cluster, their system identifiers differ: "
              + systems.entrySet().stream()
                  .map(each -> each.getKey() + " (" + addresses(each.getValue()) + ")")
                  .collect(Collectors.joining(", ")));
    }
    if (!unknown.isEmpty()) {
      problems.add(
          "whether they are one cluster cannot be told, this role may not read the system"
              + " identifier of: "
              + addresses(unknown));
    }
  }

  private static String addresses(List<Look> looks) {
    return looks.stream().map(Look::address).collect(Collectors.joining(", "));
  }

  // ---- endpoints

  private static Endpoint endpoint(Look look, EndpointProbe.@Nullable Result primary) {
    EndpointProbe.Result result = look.result();
    if (result == null) {
      return new Endpoint(
          look.address(),
          false,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          look.error());
    }
    OptionalLong behind = primary == null ? OptionalLong.empty() : result.bytesBehind(primary);
    Long lagBytes = behind.isPresent() ? behind.getAsLong() : null;
    return new Endpoint(
        look.address(),
        true,
        result.role().text(),
        result.version() / 10_000 + "." + result.version() % 10_000,
        result.timeline() == 0 ? null : result.timeline(),
        result.systemId().orElse(null),
        result.position().orElse(null),
        lagBytes,
        lagMillis(lagBytes, result),
        millis(result.roundTrip()),
        state(result),
        null);
  }

  private static @Nullable Double lagMillis(@Nullable Long lagBytes, EndpointProbe.Result result) {
    if (lagBytes == null) {
      return null;
    }
    return lagBytes == 0
        ? Double.valueOf(0)
        : result.replayAge().map(ProbeReport::millis).orElse(null);
  }

  private static double millis(Duration duration) {
    return Math.round(duration.toNanos() / 1e3) / 1e3;
  }

  private static String state(EndpointProbe.Result result) {
    String from =
        switch (result.receiver()) {
          case NONE_NEEDED -> "";
          case STREAMING -> "streaming";
          case CONNECTED -> "connected, streaming not known";
          case MISSING -> "receives nothing";
        };
    String to = result.standbys() == 0 ? "" : "streams to " + result.standbys();
    if (result.role() == Role.PRIMARY && to.isEmpty()) {
      to = "nobody follows";
    }
    String joined = from.isEmpty() || to.isEmpty() ? from + to : from + ", " + to;
    return result.replayPaused() ? joined + ", replay paused" : joined;
  }

  // ---- for people

  List<String> lines() {
    Table table =
        new Table(
            "endpoint", "role", "version", "timeline", "position", "lag", "round trip", "state");
    endpoints.forEach(each -> row(table, each));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    problems.forEach(problem -> lines.add("NOT HELD: " + problem + "."));
    if (held) {
      lines.add("HELD: one primary, one cluster, all reachable.");
    }
    return lines;
  }

  private static void row(Table table, Endpoint each) {
    if (!each.reachable()) {
      table.row(each.endpoint(), "-", "-", "-", "-", "-", "-", "unreachable: " + each.error());
      return;
    }
    table.row(
        each.endpoint(),
        String.valueOf(each.role()),
        String.valueOf(each.version()),
        each.timeline() == null ? "?" : each.timeline().toString(),
        each.position() == null ? "?" : each.position(),
        lag(each),
        each.roundTripMillis() == null ? "?" : time(each.roundTripMillis()),
        String.valueOf(each.state()));
  }

  private static String lag(Endpoint each) {
    if (Role.PRIMARY.text().equals(each.role())) {
      return "-";
    }
    Long bytes = each.lagBytes();
    if (bytes == null) {
      return "?";
    }
    return bytes == 0
        ? "0 B"
        : Text.bytes(bytes) + " / " + (each.lagMillis() == null ? "?" : time(each.lagMillis()));
  }

  private static String time(double millis) {
    return Text.duration(Duration.ofNanos(Math.round(millis * 1e6)));
  }
}
