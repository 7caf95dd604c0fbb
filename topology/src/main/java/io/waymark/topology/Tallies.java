package io.waymark.topology;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens beside the hot path. Thread safe. */
final class Tallies {
  private final LongAdder reads = new LongAdder();
  private final LongAdder pushes = new LongAdder();
  private final LongAdder older = new LongAdder();
  private final Map<UnavailableReason, LongAdder> failures = adders(UnavailableReason.class);
  private final Map<FallbackEvent.Source, LongAdder> fallbacks = adders(FallbackEvent.Source.class);

  private static <K extends Enum<K>> Map<K, LongAdder> adders(Class<K> type) {
    Map<K, LongAdder> adders = new EnumMap<>(type);
    for (K key : type.getEnumConstants()) {
      adders.put(key, new LongAdder());
    }
    return adders;
  }

  private static <K extends Enum<K>> void count(Map<K, LongAdder> adders, K key) {
    LongAdder adder = adders.get(key);
    if (adder != null) {
      adder.increment();
    }
  }

  void read() {
    reads.increment();
  }

  void pushed() {
    pushes.increment();
  }

  void older() {
    older.increment();
  }

  void failed(UnavailableReason reason) {
    count(failures, reason);
  }

  void stoodIn(FallbackEvent.Source source) {
    count(fallbacks, source);
  }

  /** All counts, with what the kept groups tell. */
  TopologyStats stats(GroupReads groups) {
    return new TopologyStats(
        reads.sum(),
        sums(failures),
        sums(fallbacks),
        older.sum(),
        pushes.sum(),
        groups.size(),
        groups.groupEvictions(),
        groups.markEvictions());
  }

  private static <K extends Enum<K>> Map<K, Long> sums(Map<K, LongAdder> adders) {
    Map<K, Long> sums = new HashMap<>();
    adders.forEach((key, adder) -> sums.put(key, adder.sum()));
    return Map.copyOf(sums);
  }
}
