package io.waymark.cli.simulation;

import io.waymark.cli.charts.Svg;
import io.waymark.cli.charts.Svg.Point;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What the simulations have found as a picture: a panel for each scenario, two in a row. */
public final class SimulationChart {
  private static final int WIDTH = 430;
  private static final int HEIGHT = 230;
  private static final int FOOT = 40;
  private static final int NAMES = 190;
  private static final int BAR = 18;
  private static final int BARS = 170;
  private static final int PLOT_LEFT = 50;
  private static final int PLOT_WIDTH = 350;
  private static final int PLOT_TOP = 48;
  private static final int PLOT_HEIGHT = 130;
  private static final String GREY = "#bbb";
  private static final String MARK = "#c1121f";

  private final Svg svg;

  private SimulationChart(Svg svg) {
    this.svg = svg;
  }

  /** The text of the file. */
  public static String svg(SimulationSettings settings, Map<Scenario, Findings> findings) {
    Collection<Findings> all = findings.values();
    int rows = (all.size() + 1) / 2;
    Svg svg = new Svg(2 * WIDTH + 10, rows * HEIGHT + FOOT);
    SimulationChart chart = new SimulationChart(svg);
    int place = 0;
    for (Findings each : all) {
      chart.draw(each.panel(), place % 2 * WIDTH + 10, place / 2 * HEIGHT);
      place++;
    }
    svg.words(
        10,
        rows * HEIGHT + FOOT - 14.0,
        "waymark demo routing --seed "
            + settings.seed()
            + (settings.quick() ? " --quick" : "")
            + ". Times in units of the mean work of a call. Red: expected, or the most allowed."
            + " See docs/simulations.md.",
        "fill=\"#777\"");
    return svg.text();
  }

  private void draw(Panel panel, int left, int top) {
    svg.words(left, top + 26.0, panel.title(), "font-weight=\"bold\"");
    if (panel instanceof Panel.Bars bars) {
      bars(bars.bars(), left, top + 40);
    } else if (panel instanceof Panel.Curves curves) {
      curves(curves, left, top);
    }
  }

  private void bars(List<Panel.Bar> bars, int left, int top) {
    double most =
        bars.stream()
            .mapToDouble(each -> Math.max(each.value(), each.mark().orElse(0)))
            .max()
            .orElse(1);
    double y = top;
    for (Panel.Bar each : bars) {
      svg.words(left, y + 13, each.name());
      double width = Math.max(1, BARS * each.value() / most);
      svg.bar(left + NAMES, y + 3, width, BAR - 6, color(each.ours()));
      svg.words(left + NAMES + BARS + 8.0, y + 13, Check.text(each.value()));
      if (each.mark().isPresent()) {
        double x = left + NAMES + BARS * each.mark().getAsDouble() / most;
        svg.line(new Point(x, y), new Point(x, y + BAR), MARK, 2);
      }
      y += BAR;
    }
  }

  private static String color(boolean ours) {
    return ours ? Svg.OURS : Svg.THEIRS;
  }

  private void curves(Panel.Curves panel, int left, int top) {
    double right = most(panel, true);
    double high = most(panel, false);
    double x0 = left + PLOT_LEFT;
    double y0 = top + PLOT_TOP + PLOT_HEIGHT;
    svg.line(new Point(x0, y0), new Point(x0 + PLOT_WIDTH, y0), GREY, 1);
    svg.line(new Point(x0, y0), new Point(x0, y0 - PLOT_HEIGHT), GREY, 1);
    svg.words(left, y0 - PLOT_HEIGHT + 4, Check.text(high));
    svg.words(left, y0 + 4, "0");
    svg.words(x0, y0 + 16, panel.across() + ", to " + Check.text(right), "fill=\"#777\"");
    double name = x0;
    for (Panel.Curve each : panel.curves()) {
      svg.curve(
          each.points().stream()
              .map(
                  point ->
                      new Point(
                          x0 + PLOT_WIDTH * point.x() / right, y0 - PLOT_HEIGHT * point.y() / high))
              .toList(),
          color(each.ours()));
      svg.words(name, y0 + 34, each.name(), "fill=\"" + color(each.ours()) + "\"");
      name += NAMES;
    }
  }

  private static double most(Panel.Curves panel, boolean across) {
    return panel.curves().stream()
        .flatMap(each -> each.points().stream())
        .mapToDouble(point -> across ? point.x() : point.y())
        .max()
        .orElse(1);
  }
}
