package io.waymark.cli.charts;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The text of an SVG picture as it grows, on white ground. Not thread safe. */
public final class Svg {
  /** What stands for Waymark, or for its default. */
  public static final String OURS = "#0b6e4f";

  /** What stands for what it is compared with. */
  public static final String THEIRS = "#5b6770";

  private final StringBuilder text = new StringBuilder();

  /** An empty picture of this many pixels. */
  public Svg(int width, int height) {
    element(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">",
        width, height, width, height);
    element("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", width, height);
  }

  /**
   * Adds an element.
   *
   * @param format as {@link String#format} takes it; texts in the values must be free of {@code <}
   *     and {@code &}
   */
  public void element(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Adds words, the beginning of their base line at this place. */
  public void words(double x, double y, String words) {
    element("<text x=\"%.1f\" y=\"%.1f\">%s</text>", x, y, words);
  }

  /** Adds words of a colour or in bold, as the attributes say. */
  public void words(double x, double y, String words, String attributes) {
    element("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>", x, y, attributes, words);
  }

  /** Adds a bar that is filled. */
  public void bar(double x, double y, double width, double height, String color) {
    element(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
        x, y, width, height, color);
  }

  /** Adds a straight line. */
  public void line(Point from, Point to, String color, int width) {
    element(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>",
        from.x, from.y, to.x, to.y, color, width);
  }

  /** Adds a line through all these points. */
  public void curve(List<Point> points, String color) {
    element(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
        points.stream()
            .map(each -> String.format(Locale.ROOT, "%.1f,%.1f", each.x, each.y))
            .collect(Collectors.joining(" ")),
        color);
  }

  /** The text of the file. */
  public String text() {
    return text + "</svg>\n";
  }

  /** A place in the picture, from its upper left corner. */
  public record Point(double x, double y) {}
}
