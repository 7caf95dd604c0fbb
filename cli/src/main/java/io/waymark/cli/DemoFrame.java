package io.waymark.cli;

import io.waymark.core.OptionText;
import io.waymark.core.Role;
import io.waymark.postgres.EndpointStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The live view of a demo as lines of plain text: at most {@value #ROWS} of at most {@value
 * #COLUMNS} characters, whatever the names and numbers are.
 */
final class DemoFrame {
  static final int COLUMNS = 100;
  static final int ROWS = 30;

  private static final int ENDPOINTS = 10;
  private static final int REASONS = 8;
  private static final int WIDE_BAR = 40;
  private static final int NARROW_BAR = 10;

  private final Bars bars;

  DemoFrame(Bars bars) {
    this.bars = bars;
  }

  List<String> lines(DemoState state) {
    List<String> lines = new ArrayList<>();
    header(state, lines);
    lines.add("");
    endpoints(state, lines);
    lines.add("");
    reasons(state.counts(), lines);
    lines.add("");
    totals(state.counts(), lines);
    return lines.stream().map(line -> Text.cut(line.stripTrailing(), COLUMNS)).toList();
  }

  private void header(DemoState state, List<String> lines) {
    DemoSettings settings = state.settings();
    lines.add(
        " waymark demo postgres | PostgreSQL "
            + state.serverVersion()
            + " | "
            + Text.many(settings.replicas(), "replica")
            + " | "
            + Text.many(settings.sessions(), "session")
            + " | "
            + OptionText.word(settings.consistency())
            + " consistency | seed "
            + settings.seed());
    lines.add(
        " " + bars.progress(state.elapsed(), settings.duration()) + "  " + state.step().phase());
    lines.add(" now: " + state.step().meaning());
  }

  // ---- endpoints

  private void endpoints(DemoState state, List<String> lines) {
    lines.add(
        row("endpoint", "role", "circuit", "lag", "busy", "pool", "latency", "reads", "share"));
    for (EndpointStatus each :
        state.endpoints().subList(0, Math.min(ENDPOINTS, state.endpoints().size()))) {
      lines.add(endpoint(each, state.counts()));
    }
  }

  private String endpoint(EndpointStatus each, Tally.Counts counts) {
    long reads = counts.readsByEndpoint().getOrDefault(each.name(), 0L);
    return row(
        each.name(),
        each.seen().orElse(each.configured()).text(),
        circuit(each.circuit()),
        each.configured() == Role.PRIMARY ? "-" : lag(each),
        Integer.toString(each.inFlight()),
        each.connections() + "/" + each.max(),
        each.latency().map(Text::duration).orElse("?"),
        Text.count(reads),
        bars.bar(counts.reads() == 0 ? 0 : (double) reads / counts.reads(), NARROW_BAR, false));
  }

  private static String row(
      String name,
      String role,
      String circuit,
      String lag,
      String busy,
      String pool,
      String latency,
      String reads,
      String share) {
    return " "
        + Text.left(name, 15)
        + " "
        + Text.left(role, 7)
        + " "
        + Text.left(circuit, 8)
        + " "
        + Text.right(lag, 18)
        + " "
        + Text.right(busy, 4)
        + " "
        + Text.right(pool, 7)
        + " "
        + Text.right(latency, 8)
        + " "
        + Text.right(reads, 10)
        + "  "
        + Text.left(share, NARROW_BAR);
  }

  private static String circuit(String text) {
    return text.split(" ", 2)[0];
  }

  private static String lag(EndpointStatus each) {
    String bytes = each.lagBytes().isPresent() ? Text.bytes(each.lagBytes().getAsLong()) : "?";
    return bytes + " / " + each.lagTime().map(DemoFrame::lagTime).orElse("?");
  }

  private static String lagTime(Duration lag) {
    return lag.isZero() ? "0 ms" : Text.duration(lag);
  }

  // ---- reasons

  private void reasons(Tally.Counts counts, List<String> lines) {
    lines.add(" " + Text.left("reads by reason", 31));
    List<Map.Entry<String, Long>> all = new ArrayList<>(counts.readsByReason().entrySet());
    all.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
    int shown = all.size() <= REASONS ? all.size() : REASONS - 1;
    for (Map.Entry<String, Long> each : all.subList(0, shown)) {
      lines.add(reason(each.getKey(), each.getValue(), counts.reads()));
    }
    if (shown < all.size()) {
      long rest = all.subList(shown, all.size()).stream().mapToLong(Map.Entry::getValue).sum();
      lines.add(reason((all.size() - shown) + " other reasons", rest, counts.reads()));
    }
  }

  private String reason(String reason, long reads, long all) {
    return " "
        + Text.left(reason, 30)
        + " "
        + Text.right(Text.count(reads), 10)
        + " "
        + Text.right(Text.percent(reads, all), 8)
        + "  "
        + bars.bar(all == 0 ? 0 : (double) reads / all, WIDE_BAR, false);
  }

  // ---- totals

  private static void totals(Tally.Counts counts, List<String> lines) {
    lines.add(
        " reads  "
            + Text.right(Text.count(counts.reads()), 10)
            + "   "
            + counts.readLatency().text()
            + "   from replicas "
            + Text.percent(counts.fromReplicas(), counts.reads()));
    lines.add(
        " writes "
            + Text.right(Text.count(counts.writes()), 10)
            + "   "
            + counts.writeLatency().text());
    lines.add(
        " stale reads "
            + Text.count(counts.staleReads())
            + "   failed reads "
            + Text.count(counts.failedReads())
            + "   failed writes "
            + Text.count(counts.failedWrites()));
  }
}
