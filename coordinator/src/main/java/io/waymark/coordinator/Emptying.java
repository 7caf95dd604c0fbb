package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import io.waymark.topology.MemberState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Removes draining members that reported themselves empty twice. Thread safe. */
final class Emptying {
  private final DurableStore store;
  private final Ledger ledger;
  private final @Nullable Duration apart;

  /**
   * @param apart how much later the second report must come; null if nobody is to be removed
   */
  Emptying(DurableStore store, Ledger ledger, @Nullable Duration apart) {
    this.store = store;
    this.ledger = ledger;
    this.apart = apart;
  }

  EmptyReport empty(String group, String member) {
    Duration apart = required();
    long now =
        store.inTransaction(
            tx -> {
              long micros = tx.now();
              ledger.tables().emptySince(GroupTables.handle(tx), group, member, micros);
              return micros;
            });
    long due = now - TimeUnit.NANOSECONDS.toMicros(apart.toNanos());
    AtomicReference<EmptyReport> report = new AtomicReference<>(EmptyReport.IGNORED);
    ledger.change(
        group,
        base -> {
          report.set(judge(base, member, now, due));
          return report.get() == EmptyReport.REMOVED
              ? Change.update(
                  base, GroupDraft.of(base, ledger.states()).remove(member), ledger.authority())
              : Change.same(base, Change.Kind.UPDATE);
        });
    return report.get();
  }

  private static EmptyReport judge(StoredGroup base, String member, long now, long due) {
    Optional<StoredGroup.Row> row =
        base.rows().stream().filter(each -> each.member().id().equals(member)).findFirst();
    if (row.isEmpty() || row.get().member().state() != MemberState.DRAINING) {
      return EmptyReport.IGNORED;
    }
    Long since = row.get().emptySince();
    if (since == null || since > due || since == now) { // revoked, or too early, or the first one
      return EmptyReport.RECORDED;
    }
    return base.rows().size() == 1 ? EmptyReport.LAST : EmptyReport.REMOVED;
  }

  void holding(String group, String member) {
    required();
    store.inTransaction(
        tx -> {
          ledger.tables().notEmpty(GroupTables.handle(tx), group, member);
          return true;
        });
  }

  private Duration required() {
    if (apart == null) {
      throw new IllegalStateException(
          "members are not removed by their reports; turn removeWhenEmpty on when the coordinator"
              + " is built");
    }
    return apart;
  }
}
