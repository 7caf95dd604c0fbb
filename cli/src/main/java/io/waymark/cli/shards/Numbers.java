package io.waymark.cli.shards;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A set of positive numbers that mostly follow each other, as ranges: {@code 1-41,43,45-60}. Short
 * as text, however many they are. Immutable.
 */
final class Numbers {
  static final Numbers NONE = new Numbers(new TreeMap<>());

  /** Last numbers by first numbers; ranges neither meet nor overlap. */
  private final NavigableMap<Long, Long> ranges;

  private Numbers(NavigableMap<Long, Long> ranges) {
    this.ranges = ranges;
  }

  /**
   * As {@link #toString()} gives it.
   *
   * @throws NumberFormatException if it is anything else
   */
  static Numbers parse(String text) {
    NavigableMap<Long, Long> ranges = new TreeMap<>();
    if (!text.isEmpty()) {
      for (String range : text.split(",", -1)) {
        String[] ends = range.split("-", 2);
        ranges.put(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1]));
      }
    }
    return new Numbers(ranges);
  }

  Numbers with(long number) {
    if (contains(number)) {
      return this;
    }
    NavigableMap<Long, Long> more = new TreeMap<>(ranges);
    Long after = more.remove(number + 1);
    long last = after == null ? number : after;
    Map.Entry<Long, Long> before = more.floorEntry(number);
    long first = before != null && before.getValue() == number - 1 ? before.getKey() : number;
    more.put(first, last);
    return new Numbers(more);
  }

  boolean contains(long number) {
    Map.Entry<Long, Long> range = ranges.floorEntry(number);
    return range != null && range.getValue() >= number;
  }

  /** How many there are. */
  long size() {
    return ranges.entrySet().stream().mapToLong(each -> each.getValue() - each.getKey() + 1).sum();
  }

  /** Which of these are not in it. */
  List<Long> missing(Collection<Long> numbers) {
    return numbers.stream().filter(each -> !contains(each)).sorted().toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Numbers that && ranges.equals(that.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    ranges.forEach(
        (first, last) -> texts.add(first.equals(last) ? "" + first : first + "-" + last));
    return String.join(",", texts);
  }
}
