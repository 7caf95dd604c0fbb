package io.waymark.cli.shards;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** The numbers of updates: which were given out, and which of them a coordinator acknowledged. */
final class Updates {
  private final ReentrantLock lock = new ReentrantLock();
  private final BitSet acknowledged = new BitSet();
  private int last;

  long next() {
    lock.lock();
    try {
      return ++last;
    } finally {
      lock.unlock();
    }
  }

  void acknowledged(long number) {
    lock.lock();
    try {
      acknowledged.set(Math.toIntExact(number));
    } finally {
      lock.unlock();
    }
  }

  long countAcknowledged() {
    lock.lock();
    try {
      return acknowledged.cardinality();
    } finally {
      lock.unlock();
    }
  }

  /** Those that were acknowledged and are not in the final state. */
  List<Long> lost(Numbers present) {
    lock.lock();
    try {
      return present.missing(
          acknowledged.stream().mapToObj(each -> (long) each).collect(Collectors.toList()));
    } finally {
      lock.unlock();
    }
  }
}
