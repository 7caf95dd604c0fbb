package io.waymark.cli.simulation;

import java.util.List;
import java.util.stream.IntStream;

/** Makes callers of one kind. */
@FunctionalInterface
interface CallerMaker {
  /** The caller of a number. */
  Caller caller(VirtualTime time, Chance chance, int number);

  /** So many of them, each with chances of its own. */
  default List<Caller> callers(int count, VirtualTime time, Chance chance) {
    return IntStream.range(0, count)
        .mapToObj(number -> caller(time, chance.in("caller " + number), number))
        .toList();
  }
}
