package io.waymark.testing;

/**
 * Sees the bytes of one connection, in order, right before they are passed on: when the other side
 * has received a byte, the observer has seen it. One observer belongs to one connection; each
 * direction is called by a thread of its own, and both may be called at the same time.
 *
 * <p>An observer must not block, keep or change the array. If it throws, its connection is cut.
 */
public interface ConnectionObserver {

  /** Sees {@code length} bytes from the client, in {@code buffer} from {@code offset}. */
  default void toServer(byte[] buffer, int offset, int length) {}

  /** Sees {@code length} bytes from the server, in {@code buffer} from {@code offset}. */
  default void toClient(byte[] buffer, int offset, int length) {}
}
