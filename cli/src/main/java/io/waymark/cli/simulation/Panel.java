package io.waymark.cli.simulation;

import io.waymark.cli.charts.Svg;
import java.util.List;
import java.util.OptionalDouble;

/** A part of the chart: what one scenario has found, as a picture. */
public sealed interface Panel {
  /** What is shown, with its measure. */
  String title();

  /** Numbers beside each other. */
  record Bars(String title, List<Bar> bars) implements Panel {
    public Bars {
      bars = List.copyOf(bars);
    }
  }

  /**
   * One number.
   *
   * @param name what has it
   * @param value the number
   * @param mark what was expected, or the most that is allowed, if there is such a thing
   * @param ours whether it is the product's default that has it
   */
  record Bar(String name, double value, OptionalDouble mark, boolean ours) {
    static Bar of(String name, double value) {
      return new Bar(name, value, OptionalDouble.empty(), false);
    }

    static Bar ours(String name, double value, double mark) {
      return new Bar(name, value, OptionalDouble.of(mark), true);
    }
  }

  /**
   * Numbers over time.
   *
   * @param across what goes to the right
   */
  record Curves(String title, String across, List<Curve> curves) implements Panel {
    public Curves {
      curves = List.copyOf(curves);
    }
  }

  /** One number over time. */
  record Curve(String name, List<Svg.Point> points, boolean ours) {
    public Curve {
      points = List.copyOf(points);
    }
  }
}
