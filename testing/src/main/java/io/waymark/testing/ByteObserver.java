package io.waymark.testing;

/**
 * Sees the bytes of one connection in one direction, in order, right before they are passed on. One
 * observer belongs to one connection and is called by one thread; what it counts for all
 * connections must be thread safe. When the other side has received a byte, the observer has seen
 * it.
 *
 * <p>An observer must not block, keep or change the array. If it throws, its connection is cut.
 */
@FunctionalInterface
public interface ByteObserver {

  /** Sees {@code length} bytes of {@code buffer} from {@code offset}. */
  void onBytes(byte[] buffer, int offset, int length);
}
