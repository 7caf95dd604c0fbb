package io.waymark.topology;

import java.util.function.BiConsumer;

/**
 * The writers' half of a store of published groups. A coordinator calls it; readers never do.
 *
 * <p>A store {@linkplain #comparesStamps() that compares stamps} lets a write take the place of
 * what is stored in three cases only: nothing is stored, what is stored is older and of the same
 * authority, or it is of another authority and exactly what the writer {@linkplain #replace names}.
 * So a write that was delayed for however long never takes the place of a newer one, nor, where a
 * group has moved, of what its new coordinator wrote.
 *
 * <p>Implementations are thread safe. Methods block, within bounded time.
 */
public interface SnapshotPublisher extends AutoCloseable {
  /**
   * Writes a snapshot or a tombstone in its {@linkplain SnapshotCodec encoded form}, if what is
   * stored is older and of the same authority.
   *
   * @return what came of it; failures of the store are an outcome and no exception
   * @throws IllegalArgumentException if it cannot be encoded
   */
  WriteOutcome write(Published published);

  /**
   * As {@link #write}, and also if what is stored is exactly this, of another authority: takes a
   * group over. A coordinator does this deliberately and under an epoch that is higher than any it
   * used for the group before; see {@link TopologyClient} for why.
   *
   * @param found what the writer has found stored; if something else is stored by now, it stays
   * @throws IllegalArgumentException if both are of one authority, or it cannot be encoded
   */
  WriteOutcome replace(Stamp found, Published published);

  /**
   * Whether stamps are compared by the store. If not, whatever arrives last is stored: a delayed
   * write may take the place of a newer one, and a coordinator has to write again after it.
   */
  boolean comparesStamps();

  /** Whether {@link #sweep} tells what is stored. */
  boolean canSweep();

  /**
   * Tells all groups that are stored with their stamps, tombstones included, so that a coordinator
   * can write again what the store has forgotten. What changes meanwhile may or may not be told.
   *
   * @param each is called for each group, on the calling thread
   * @throws SnapshotStoreException if the store cannot be read; some may have been told by then
   * @throws UnsupportedOperationException if it {@linkplain #canSweep cannot}
   */
  void sweep(BiConsumer<String, Stamp> each);

  /**
   * Calls the listener each time after the store may have forgotten what it held, as after a server
   * without persistence was reached again: it is time for a {@link #sweep}. A store that does not
   * forget never calls it. Called at most once; the listener is quick.
   */
  default void onDoubt(Runnable listener) {}

  /**
   * Gives back what this publisher opened; what was given to it stays open. May be called twice.
   */
  @Override
  default void close() {}

  /** A write to a store that keeps whatever arrives last. */
  @FunctionalInterface
  interface Overwrite {
    /**
     * Stores the text as it is.
     *
     * @param group the group's name
     * @param encoded what is to be stored under it
     * @throws Exception if it may not have been stored
     */
    void put(String group, String encoded) throws Exception;
  }

  /**
   * A publisher over a store that cannot compare stamps. The weaker kind: see {@link
   * #comparesStamps}. It cannot sweep, and {@link #replace} is a {@link #write}.
   *
   * @param overwrite what is called; what it throws makes the outcome uncertain
   */
  static SnapshotPublisher overwriting(Overwrite overwrite) {
    return new OverwritingPublisher(overwrite);
  }
}
