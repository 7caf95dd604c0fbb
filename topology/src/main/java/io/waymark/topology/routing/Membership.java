package io.waymark.topology.routing;

import io.waymark.core.Circuit;
import io.waymark.core.Rendezvous;
import io.waymark.core.StableHash;
import io.waymark.core.Vitals;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next view from who the members are. Who stays keeps the cell, and with it all that is
 * known; the cell of who goes is forgotten, and comes back as a new one. Pure but for weights,
 * which are the cell's.
 */
final class Membership {
  /** The golden ratio's fraction, in parts of the whole range of numbers. */
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

  private final PickerConfig config;

  Membership(PickerConfig config) {
    this.config = config;
  }

  /** These members, in any order. */
  ShardView with(ShardView before, List<ShardMember> members) {
    Map<String, ShardCell> known = new HashMap<>();
    before.all().forEach(cell -> known.put(cell.name(), cell));
    List<ShardCell> all = new ArrayList<>();
    BitSet taken = new BitSet();
    List<ShardMember> arriving = new ArrayList<>();
    for (ShardMember member : members) {
      @Nullable ShardCell cell = known.remove(member.name());
      if (cell == null) {
        arriving.add(member);
      } else {
        cell.weight(member.weight());
        taken.set(cell.ordinal());
        all.add(cell);
      }
    }
    for (ShardMember member : arriving) {
      int ordinal = taken.nextClearBit(0);
      taken.set(ordinal);
      all.add(cell(member, ordinal));
    }
    all.sort(Comparator.comparingInt(ShardCell::ordinal));
    return before.with(all, used(all), config.maxEjected());
  }

  /** {@code shard-0} to {@code shard-<width-1>}. */
  ShardView numbered(ShardView before, int width) {
    List<ShardCell> all = new ArrayList<>(before.all());
    while (all.size() > width) {
      all.remove(all.size() - 1);
    }
    for (int i = all.size(); i < width; i++) {
      all.add(cell(ShardMember.of(ShardPicker.numberedName(i)), i));
    }
    return before.with(all, all, config.maxEjected());
  }

  private List<ShardCell> used(List<ShardCell> all) {
    if (config.subset() == 0 || config.subset() >= all.size()) {
      return all;
    }
    List<ShardCell> used =
        new ArrayList<>(
            config.clientNumber().isPresent()
                ? window(all, config.clientNumber().getAsInt())
                // Without weights: at most one changes with each member, and shares stay right.
                : Rendezvous.<ShardCell>of(all, ShardCell::name, cell -> 1)
                    .best(config.client(), config.subset()));
    used.sort(Comparator.comparingInt(ShardCell::ordinal));
    return used;
  }

  /**
   * The next members from a point on the ring of the hashes of names. Multiples of the golden ratio
   * lie as far apart as so many points can, however many there are.
   */
  private List<ShardCell> window(List<ShardCell> all, int number) {
    long start = number * GOLDEN;
    return all.stream()
        .sorted(
            (one, other) ->
                Long.compareUnsigned(
                    StableHash.of(one.name()) - start, StableHash.of(other.name()) - start))
        .limit(config.subset())
        .toList();
  }

  private ShardCell cell(ShardMember member, int ordinal) {
    Circuit circuit =
        Circuit.unproven(
            config.trialAfter(), config.failuresToEject(), config.slowStart(), config.ticker());
    return new ShardCell(member.name(), ordinal, member.weight(), new Vitals(circuit));
  }
}
