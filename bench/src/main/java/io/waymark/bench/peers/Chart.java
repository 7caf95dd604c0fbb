package io.waymark.bench.peers;

import io.waymark.cli.charts.Svg;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The standings as a picture: an SVG file without anything from elsewhere. */
public final class Chart {
  private static final int NAMES = 150;
  private static final int PANEL = 250;
  private static final int PLOT = 130;
  private static final int ROW = 24;
  private static final int HEAD = 60;

  private final Standings standings;
  private final List<Contender> contenders;
  private final Svg svg;

  private Chart(Standings standings) {
    this.standings = standings;
    this.contenders = List.copyOf(standings.results().keySet());
    this.svg = new Svg(NAMES + 3 * PANEL + 10, 2 * panels() + 40);
  }

  /** The text of the file. */
  public static String svg(Standings standings) {
    return new Chart(standings).draw();
  }

  private int panels() {
    return HEAD + ROW * contenders.size() + 20;
  }

  private String draw() {
    int panels = panels();
    double most = mostTime();
    timed(0, Scenario.READ, "read in autocommit", most);
    timed(1, Scenario.READ_TRANSACTION, "read-only transaction", most);
    timed(2, Scenario.WRITE, "write transaction", most);
    names(0, "time of a call, as a multiple of HikariCP's alone");
    shares(0, panels, Scenario.OWN_WRITES, "own writes not seen");
    shares(1, panels, Scenario.KILLED, "no answer: a replica killed");
    shares(2, panels, Scenario.SILENT, "no answer: a replica silent");
    names(panels, "share of reads; the slowest read beside it");
    svg.element(
        "<text x=\"10\" y=\"%d\" fill=\"#777\">PostgreSQL %s, Java %s. Dots: median; lines: 95 %%"
            + " interval over all rounds. See docs/performance.md.</text>",
        2 * panels + 26, standings.server(), System.getProperty("java.version"));
    return svg.text();
  }

  private double mostTime() {
    double most = 1.2;
    for (Contender contender : contenders) {
      for (Scenario scenario : Scenario.timed()) {
        if (standings.result(contender, scenario) instanceof Result.Timed timed) {
          most = Math.max(most, timed.ratio().high());
        }
      }
    }
    return most;
  }

  private void names(int top, String title) {
    svg.element("<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s</text>", top + 22, title);
    for (int i = 0; i < contenders.size(); i++) {
      svg.element(
          "<text x=\"10\" y=\"%d\" fill=\"%s\">%s</text>",
          y(top, i) + 4, color(contenders.get(i)), contenders.get(i).word());
    }
  }

  private static int y(int top, int row) {
    return top + HEAD + ROW * row;
  }

  private static String color(Contender contender) {
    return contender == Contender.WAYMARK ? Svg.OURS : Svg.THEIRS;
  }

  private void timed(int panel, Scenario scenario, String title, double most) {
    int left = NAMES + panel * PANEL;
    double least = 0.8;
    Function<Double, Double> x =
        ratio -> left + PLOT * (Math.max(least, ratio) - least) / (most - least);
    svg.element("<text x=\"%d\" y=\"42\">%s</text>", left, title);
    svg.element(
        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"48\" y2=\"%d\" stroke=\"#bbb\"/>",
        x.apply(1.0), x.apply(1.0), y(0, contenders.size()) - 10);
    for (int i = 0; i < contenders.size(); i++) {
      String color = color(contenders.get(i));
      int y = y(0, i);
      if (standings.result(contenders.get(i), scenario) instanceof Result.Timed timed) {
        svg.element(
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"/>",
            x.apply(timed.ratio().low()), x.apply(timed.ratio().high()), y, y, color);
        svg.element(
            "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\" fill=\"%s\"/>",
            x.apply(timed.ratio().middle()), y, color);
        svg.element(
            "<text x=\"%d\" y=\"%d\">%.2f</text>", left + PLOT + 12, y + 4, timed.ratio().middle());
      } else {
        svg.element("<text x=\"%d\" y=\"%d\">no result</text>", left, y + 4);
      }
    }
  }

  private void shares(int panel, int top, Scenario scenario, String title) {
    int left = NAMES + panel * PANEL;
    svg.element("<text x=\"%d\" y=\"%d\">%s</text>", left, top + 42, title);
    for (int i = 0; i < contenders.size(); i++) {
      Result result = standings.result(contenders.get(i), scenario);
      String color = color(contenders.get(i));
      int y = y(top, i);
      if (result instanceof Result.OwnWrites ownWrites) {
        bar(left, y, color, ownWrites.stale(), ownWrites.reads(), "");
      } else if (result instanceof Result.Outage outage) {
        bar(
            left,
            y,
            color,
            outage.failed() + outage.hung(),
            outage.reads(),
            String.format(Locale.ROOT, ", %.1f s", outage.slowestMillis() / 1000));
      } else {
        svg.element("<text x=\"%d\" y=\"%d\">no result</text>", left, y + 4);
      }
    }
  }

  private void bar(int left, int y, String color, int part, int whole, String more) {
    double share = whole == 0 ? 0 : (double) part / whole;
    svg.element(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>",
        left, y - 6, Math.max(1, PLOT * share), color);
    svg.element(
        "<text x=\"%d\" y=\"%d\">%.1f %%%s</text>", left + PLOT + 12, y + 4, 100 * share, more);
  }
}
