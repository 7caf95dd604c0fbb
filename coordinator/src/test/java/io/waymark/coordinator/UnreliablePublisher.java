package io.waymark.coordinator;

import io.waymark.topology.Published;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** The way from one process to the store of snapshots. */
final class UnreliablePublisher implements SnapshotPublisher {
  private final SnapshotPublisher under;
  private final ProcessGate gate;
  private final Mishaps mishaps;
  private final AtomicInteger running = new AtomicInteger();

  UnreliablePublisher(SnapshotPublisher under, ProcessGate gate, Mishaps mishaps) {
    this.under = under;
    this.gate = gate;
    this.mishaps = mishaps;
  }

  int running() {
    return running.get();
  }

  @Override
  public WriteOutcome write(Published published) {
    running.incrementAndGet();
    try {
      gate.pass("write");
      WriteOutcome outcome = send(published);
      gate.pass("written");
      return outcome;
    } finally {
      running.decrementAndGet();
    }
  }

  private WriteOutcome send(Published published) {
    Mishaps.Mishap mishap = mishaps.next();
    WriteOutcome unknown = new WriteOutcome.Uncertain(new IllegalStateException(mishap.name()));
    Runnable effect = () -> under.write(published);
    switch (mishap) {
      case NONE -> {
        return under.write(published);
      }
      case UNANSWERED -> effect.run();
      case LATE -> mishaps.later(published.toString(), effect);
      case HANGING -> {
        mishaps.later(published.toString(), effect);
        Mishaps.hang();
      }
      case REFUSED -> {
        return new WriteOutcome.NotWritten(new IllegalStateException("refused"));
      }
      case LOST -> {}
    }
    return unknown;
  }

  @Override
  public WriteOutcome replace(Stamp found, Published published) {
    return under.replace(found, published);
  }

  @Override
  public boolean comparesStamps() {
    return under.comparesStamps();
  }

  @Override
  public boolean canSweep() {
    return under.canSweep();
  }

  @Override
  public void sweep(BiConsumer<String, Stamp> each) {
    gate.pass("sweep");
    under.sweep(each);
    gate.pass("swept");
  }

  @Override
  public void onDoubt(Runnable listener) {
    under.onDoubt(listener);
  }
}
