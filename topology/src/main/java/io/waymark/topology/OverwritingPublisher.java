package io.waymark.topology;

import java.util.function.BiConsumer;

/** Writes to a store that keeps whatever arrives last. */
final class OverwritingPublisher implements SnapshotPublisher {
  private final Overwrite overwrite;

  OverwritingPublisher(Overwrite overwrite) {
    this.overwrite = overwrite;
  }

  @Override
  public WriteOutcome write(Published published) {
    String encoded = SnapshotCodec.encode(published);
    try {
      overwrite.put(published.group(), encoded);
      return WriteOutcome.applied();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new WriteOutcome.Uncertain(e);
    } catch (Exception e) {
      return new WriteOutcome.Uncertain(e);
    }
  }

  @Override
  public WriteOutcome replace(Stamp found, Published published) {
    return write(published);
  }

  @Override
  public boolean comparesStamps() {
    return false;
  }

  @Override
  public boolean canSweep() {
    return false;
  }

  @Override
  public void sweep(BiConsumer<String, Stamp> each) {
    throw new UnsupportedOperationException("this store cannot tell what it holds");
  }
}
