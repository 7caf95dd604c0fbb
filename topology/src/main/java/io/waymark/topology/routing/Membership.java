package io.waymark.topology.routing;

import io.waymark.core.Circuit;
import io.waymark.core.Rendezvous;
import io.waymark.core.StableHash;
import io.waymark.core.Vitals;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next view from who the members are. Who stays keeps the cell, and with it all that is
 * known; the cell of who goes is forgotten, and comes back as a new one. Pure but for weights,
 * which are the cell's.
 */
final class Membership {
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
    int changes = arriving.size() + known.size();
    return before.with(all, used(all, before, changes), config.maxEjected());
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

  private List<ShardCell> used(List<ShardCell> all, ShardView before, int changes) {
    if (config.subset() == 0 || config.subset() >= all.size()) {
      return all;
    }
    List<ShardCell> used =
        new ArrayList<>(
            config.clientNumber().isPresent()
                ? byNumber(all, before, changes)
                // Without weights: at most one changes with each member, and shares stay right.
                : Rendezvous.<ShardCell>of(all, ShardCell::name, cell -> 1)
                    .best(config.client(), config.subset()));
    used.sort(Comparator.comparingInt(ShardCell::ordinal));
    return used;
  }

  /**
   * The members that the number would have if all began now, which spreads few processes evenly.
   * Who has a subset already moves towards them by as many members as came and went, so that no
   * change replaces more than it must.
   */
  private List<ShardCell> byNumber(List<ShardCell> all, ShardView before, int changes) {
    List<ShardCell> even = window(all, config.clientNumber().orElse(0));
    if (before.used().isEmpty()) {
      return even;
    }
    Set<ShardCell> present = new HashSet<>(all);
    Set<ShardCell> wanted = new HashSet<>(even);
    List<ShardCell> used = new ArrayList<>(before.used());
    used.removeIf(each -> !present.contains(each));
    int left = Math.max(changes, config.subset() - used.size());
    Set<ShardCell> had = new HashSet<>(used);
    for (ShardCell coming : even) {
      if (left > 0 && !had.contains(coming)) {
        if (used.size() >= config.subset()) {
          used.remove(firstNotIn(wanted, used));
        }
        used.add(coming);
        left--;
      }
    }
    return used;
  }

  private static int firstNotIn(Set<ShardCell> wanted, List<ShardCell> used) {
    for (int i = 0; i < used.size(); i++) {
      if (!wanted.contains(used.get(i))) {
        return i;
      }
    }
    throw new IllegalStateException("a full subset of wanted members wants no more");
  }

  /**
   * As many members as a subset has, one after the other in the order of the hashes of their names,
   * all processes in the same order. Where it begins goes by the reversed bits of the number (J.
   * van der Corput's sequence, 1935): 0, a half, a quarter, three quarters and so on, which lie far
   * apart however many there are.
   */
  private List<ShardCell> window(List<ShardCell> all, int number) {
    List<ShardCell> ring = new ArrayList<>(all);
    ring.sort(
        Comparator.comparingLong((ShardCell cell) -> StableHash.of(cell.name()))
            .thenComparing(ShardCell::name));
    long part = Integer.toUnsignedLong(Integer.reverse(number));
    int start = (int) ((part * ring.size()) >>> Integer.SIZE);
    List<ShardCell> window = new ArrayList<>(config.subset());
    for (int i = 0; i < config.subset(); i++) {
      window.add(ring.get((start + i) % ring.size()));
    }
    return window;
  }

  private ShardCell cell(ShardMember member, int ordinal) {
    Circuit circuit =
        Circuit.unproven(
            config.trialAfter(), config.failuresToEject(), config.slowStart(), config.ticker());
    return new ShardCell(member.name(), ordinal, member.weight(), new Vitals(circuit));
  }
}
