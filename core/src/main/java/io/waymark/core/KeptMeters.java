package io.waymark.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of one product, each asked for once and kept. Whatever they throw is logged and
 * ignored: measuring disturbs nothing that is measured. Thread safe.
 */
public final class KeptMeters {
  private static final Logger LOG = LoggerFactory.getLogger(KeptMeters.class);

  /**
   * All meters of one name.
   *
   * @param name as {@link Meters} is told
   * @param tags the names of its tags
   */
  public record Family(String name, List<String> tags) {
    /** Copies the list. */
    public Family {
      tags = List.copyOf(tags);
    }

    /** One family. */
    public static Family of(String name, String... tags) {
      return new Family(name, List.of(tags));
    }
  }

  /** One meter of a family; the values are those of the family's tags in their order. */
  private record Key(Family family, List<String> values) {
    Map<String, String> tags() {
      Map<String, String> tags = new HashMap<>();
      for (int i = 0; i < values.size(); i++) {
        tags.put(family.tags().get(i), values.get(i));
      }
      return Map.copyOf(tags);
    }
  }

  private final Meters meters;
  private final boolean on;
  private final Map<Key, Meters.Counter> counters = new ConcurrentHashMap<>();
  private final Map<Key, Meters.Timer> timers = new ConcurrentHashMap<>();

  /** Keeps meters of these. */
  public KeptMeters(Meters meters) {
    this.meters = meters;
    this.on = meters != Meters.NONE;
  }

  /** Whether anybody measures. Where nobody does, callers should spare themselves the clock. */
  public boolean isOn() {
    return on;
  }

  /**
   * Counts one more.
   *
   * @param values of the family's tags, in their order
   */
  public void count(Family family, String... values) {
    if (on) {
      try {
        counters
            .computeIfAbsent(
                new Key(family, List.of(values)), k -> meters.counter(family.name(), k.tags()))
            .increment();
      } catch (RuntimeException e) {
        ignore(e);
      }
    }
  }

  /**
   * Times one event.
   *
   * @param nanos how long it took; what is below zero counts as zero
   * @param values of the family's tags, in their order
   */
  public void time(Family family, long nanos, String... values) {
    if (on) {
      try {
        timers
            .computeIfAbsent(
                new Key(family, List.of(values)), k -> meters.timer(family.name(), k.tags()))
            .record(Math.max(0, nanos));
      } catch (RuntimeException e) {
        ignore(e);
      }
    }
  }

  private static void ignore(RuntimeException e) {
    LOG.debug("a meter threw; it is ignored", e);
  }
}
