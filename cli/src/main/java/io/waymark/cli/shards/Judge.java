package io.waymark.cli.shards;

import io.waymark.topology.Stamp;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Hears what all processes say, and keeps what is to be checked. What one process says comes from
 * one thread after the other, so that each entry has one writer.
 */
final class Judge {
  private static final long LONGEST_MICROS = 3_600_000_000L;

  private final Updates updates = new Updates();
  private final Map<String, Said.Holds> held = new ConcurrentHashMap<>();
  private final Map<String, Belief> beliefs = new ConcurrentHashMap<>();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder published = new LongAdder();
  private final LongAdder regressions = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final ConcurrentHistogram propagation = new ConcurrentHistogram(LONGEST_MICROS, 3);
  private volatile Said.@Nullable Acknowledged newest;

  /**
   * What a reader has said.
   *
   * @param life of the process that said it
   * @param newest the newest that it ever had, in all its lives; null for nothing
   * @param said the last
   */
  private record Belief(int life, @Nullable Stamp newest, Said.Believes said) {}

  Updates updates() {
    return updates;
  }

  void heard(String who, int life, Said said) {
    if (said instanceof Said.Acknowledged acknowledged) {
      acknowledged(acknowledged);
    } else if (said instanceof Said.Published) {
      published.increment();
    } else if (said instanceof Said.Holds holds) {
      held.put(who, holds);
    } else if (said instanceof Said.Believes believes) {
      believed(who, life, believes);
    }
  }

  private void acknowledged(Said.Acknowledged said) {
    if (said.number() != Order.QUESTION) {
      updates.acknowledged(said.number());
    }
    Said.Acknowledged before = newest;
    if (before == null || said.limits().revision() > before.limits().revision()) {
      newest = said; // of two coordinators one may be late; it is for the view only
    }
  }

  /** An update has no answer, and will have none. */
  void unanswered() {
    unknown.increment();
  }

  /**
   * A reader is compared with what it had before, also in a life before: the store that it reads
   * never goes back either.
   */
  private void believed(String reader, int life, Said.Believes said) {
    Belief before = beliefs.get(reader);
    Stamp newest = before == null ? null : before.newest();
    if (said.stamp().isEmpty()) {
      if (before != null && before.life() == life && !before.said().stamp().isEmpty()) {
        regressions.increment();
      }
    } else {
      Stamp stamp = Stamp.parse(said.stamp());
      if (newest != null && !stamp.equals(newest) && !stamp.isNewerThan(newest)) {
        regressions.increment();
      }
      newest = newest == null || stamp.isNewerThan(newest) ? stamp : newest;
    }
    long readBefore = before != null && before.life() == life ? before.said().reads() : 0;
    reads.add(said.reads() - readBefore);
    if (said.micros() >= 0) {
      propagation.recordValue(Math.min(LONGEST_MICROS, said.micros()));
    }
    beliefs.put(reader, new Belief(life, newest, said));
  }

  /** The newest that a coordinator told of; null before the first. */
  Said.@Nullable Acknowledged newest() {
    return newest;
  }

  Said.@Nullable Holds held(String member) {
    return held.get(member);
  }

  Said.@Nullable Believes believes(String reader) {
    Belief belief = beliefs.get(reader);
    return belief == null ? null : belief.said();
  }

  ShardsCounts counts(long crashes, long pauses) {
    return new ShardsCounts(
        updates.countAcknowledged(),
        unknown.sum(),
        crashes,
        pauses,
        published.sum(),
        reads.sum(),
        regressions.sum(),
        held.values().stream().mapToLong(Said.Holds::deliveries).sum(),
        held.values().stream().mapToLong(Said.Holds::stale).sum(),
        propagation.getValueAtPercentile(50),
        propagation.getValueAtPercentile(99));
  }
}
