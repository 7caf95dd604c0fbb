package io.waymark.coordinator;

import io.waymark.core.StableHash;
import io.waymark.durable.Delivery;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Stamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Compares what a store holds with what the database has, and publishes again what the store forgot
 * or holds differently.
 *
 * <p>What the store tells is compared in batches; of each group only a hash of its name is kept, so
 * that the groups that it did not tell of can be found in the database afterwards. Where there are
 * more than a million groups this is done for one part of the hashes after the other, so memory is
 * bounded.
 */
final class StoreSweep {
  private static final int BATCH = 500;
  private static final int MOST_HASHES = 1 << 20;

  private final Ledger ledger;
  private final SnapshotPublisher publisher;
  private final EventListener events;
  private final LongSupplier ticker;

  StoreSweep(
      Ledger ledger, SnapshotPublisher publisher, EventListener events, LongSupplier ticker) {
    this.ledger = ledger;
    this.publisher = publisher;
    this.events = events;
    this.ticker = ticker;
  }

  /** One comparison, if the store can tell what it holds. */
  void run(Delivery<String> delivery) {
    if (publisher.canSweep()) {
      long began = ticker.getAsLong();
      long groups = ledger.tables().count();
      int parts = (int) (groups / MOST_HASHES) + 1;
      long again = 0;
      for (int part = 0; part < parts && !delivery.isAbandoned(); part++) {
        again += new Pass(parts, part).run(delivery);
      }
      events.tell(
          new CoordinatorEvent.Swept(groups, again, Duration.ofNanos(ticker.getAsLong() - began)));
    }
  }

  private final class Pass implements BiConsumer<String, Stamp> {
    private final int parts;
    private final int part;
    private final LongSet told = new LongSet();
    private final Map<String, Stamp> batch = new LinkedHashMap<>();
    private long again;

    Pass(int parts, int part) {
      this.parts = parts;
      this.part = part;
    }

    long run(Delivery<String> delivery) {
      publisher.sweep(this);
      compare();
      findForgotten(delivery);
      return again;
    }

    private boolean isMine(long hash) {
      return Long.remainderUnsigned(hash, parts) == part;
    }

    @Override
    public void accept(String group, Stamp stamp) {
      long hash = StableHash.of(group);
      if (isMine(hash)) {
        told.add(hash);
        batch.put(group, stamp);
        if (batch.size() == BATCH) {
          compare();
        }
      }
    }

    private void compare() {
      Map<String, Stamp> ours =
          batch.isEmpty()
              ? new HashMap<>()
              : ledger.tables().stamps(ledger.authority(), batch.keySet());
      List<String> differ = new ArrayList<>();
      batch.forEach(
          (group, found) -> {
            Stamp own = ours.get(group);
            if (own == null) {
              if (found.authority().equals(ledger.authority())) {
                events.tell(new CoordinatorEvent.Orphan(group, found));
              }
            } else if (!own.equals(found) && own.isComparableTo(found)) {
              differ.add(group);
            }
          });
      batch.clear();
      publish(differ);
    }

    private void findForgotten(Delivery<String> delivery) {
      String after = "";
      while (!delivery.isAbandoned()) {
        List<GroupSummary> page = ledger.tables().page(ledger.authority(), after, BATCH);
        if (page.isEmpty()) {
          return;
        }
        publish(
            page.stream()
                .map(GroupSummary::name)
                .filter(name -> isMine(StableHash.of(name)) && !told.contains(StableHash.of(name)))
                .toList());
        after = page.get(page.size() - 1).name();
      }
    }

    private void publish(List<String> groups) {
      ledger.publishAgain(groups);
      again += groups.size();
    }
  }
}
