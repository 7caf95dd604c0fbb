package io.waymark.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;

/** A member for tests. */
record Node(String name, int ordinal, double weight, Vitals vitals) implements Member {
  /** The probe interval of every node. */
  static final Duration PROBE = Duration.ofSeconds(1);

  /** Nodes with these weights, named {@code a}, {@code b}, and so on, on one ticker. */
  static List<Node> weighing(AtomicLong ticker, double... weights) {
    return many(ticker, weights.length, i -> weights[i]);
  }

  /** This many nodes of weight 1. */
  static List<Node> alike(AtomicLong ticker, int count) {
    return many(ticker, count, i -> 1);
  }

  static List<Node> many(AtomicLong ticker, int count, IntToDoubleFunction weight) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Vitals vitals = new Vitals(new Circuit(PROBE, ticker::get));
      nodes.add(new Node(nameOf(i), i, weight.applyAsDouble(i), vitals));
    }
    return List.copyOf(nodes);
  }

  private static String nameOf(int index) {
    return index < 26 ? String.valueOf((char) ('a' + index)) : "n" + index;
  }

  @Override
  public String toString() {
    return name;
  }
}
