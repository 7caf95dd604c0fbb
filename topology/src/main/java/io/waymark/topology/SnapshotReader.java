package io.waymark.topology;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The readers' half of a store of published groups. {@link TopologyClient} reads through it;
 * callers do not use it themselves.
 *
 * <p>An implementation is thread safe. It answers with what the store holds, and with nothing else:
 * an error is never an empty answer, and an empty answer never an error. It judges no stamps and
 * keeps no cache; both is the client's.
 */
public interface SnapshotReader extends AutoCloseable {
  /**
   * Reads one group. Must not block: what can only block goes through {@link #blocking}.
   *
   * @param group the group's name
   * @return the encoded form as it is stored, also of a tombstone; empty if the store holds nothing
   *     under that name; completed exceptionally if that is not known. It is completed within a
   *     bounded time, also when the store is silent: the client waits no longer than its read
   *     timeout, and takes an answer that comes later as well
   */
  CompletionStage<Optional<String>> read(String group);

  /**
   * Begins to tell of changes, for as long as the reader is open. Called at most once. A store that
   * cannot push does nothing, and what the client knows is then as old as its time to live.
   *
   * <p>It must not block, and must not throw because the store is not reachable: it tries again for
   * ever, with growing and spread delays.
   *
   * @param listener what to tell; its methods are quick and do not throw
   */
  default void watch(SnapshotListener listener) {}

  /** Gives back what this reader opened; what was given to it stays open. May be called twice. */
  @Override
  default void close() {}

  /** A read that blocks. */
  @FunctionalInterface
  interface Read {
    /**
     * Reads one group on a thread that may wait.
     *
     * @return the encoded form; empty if the store holds nothing under that name
     * @throws Exception if that is not known
     */
    Optional<String> read(String group) throws Exception;
  }

  /**
   * A reader over something that blocks, on at most 8 daemon threads of its own that end when they
   * are idle. While all of them hang, other reads wait and may time out: bound the read's own input
   * and output, for example by a socket's timeout.
   *
   * @param read what is called; it does not push
   */
  static SnapshotReader blocking(Read read) {
    return new BlockingReader(read);
  }
}
