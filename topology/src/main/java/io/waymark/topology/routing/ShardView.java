package io.waymark.topology.routing;

import io.waymark.core.Candidates;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The shards as they are believed to be now. Immutable, but for the cells, which all views share.
 *
 * @param all every shard, by ordinal
 * @param used those that this process uses: all, or its subset
 * @param open those of them that take part in picks; never empty unless there are none
 * @param ejected those of them that are left out
 */
record ShardView(
    List<ShardCell> all,
    List<ShardCell> used,
    Candidates<ShardCell> open,
    List<ShardCell> ejected) {

  /** No shard at all. */
  static final ShardView EMPTY =
      new ShardView(List.of(), List.of(), Candidates.all(List.of()), List.of());

  /** All shards, of which some are used; failing ones are left out within the limit. */
  ShardView with(List<ShardCell> all, List<ShardCell> used, double maxEjected) {
    int limit = limit(used.size(), maxEjected);
    Set<ShardCell> out = new LinkedHashSet<>();
    if (!ejected.isEmpty()) { // who is out stays out, rather than one for another
      Set<ShardCell> candidates = new HashSet<>(used);
      ejected.stream().filter(candidates::contains).forEach(each -> eject(each, out, limit));
    }
    used.forEach(each -> eject(each, out, limit));
    List<ShardCell> in = used.stream().filter(each -> !out.contains(each)).toList();
    return new ShardView(List.copyOf(all), List.copyOf(used), Candidates.all(in), List.copyOf(out));
  }

  private static void eject(ShardCell shard, Set<ShardCell> out, int limit) {
    if (out.size() < limit && shard.vitals().circuit().isOpen()) {
      out.add(shard);
    }
  }

  /** The same shards; who is left out is looked at again. */
  ShardView reviewed(double maxEjected) {
    return with(all, used, maxEjected);
  }

  /** How many may be left out: the share rounded down, and never all. */
  static int limit(int shards, double maxEjected) {
    // Of ten a tenth is one, whatever a binary fraction makes of it.
    int share = (int) Math.floor(shards * maxEjected + 1e-9);
    return Math.max(0, Math.min(share, shards - 1));
  }
}
