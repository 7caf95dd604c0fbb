package io.waymark.durable;

/**
 * Writes messages to where they are kept: a storage target, or the dead letters. Called from
 * several threads at once; a write may be repeated, always with the same {@link StoredMessage#id}.
 *
 * @param <T> the type of the bodies
 */
@FunctionalInterface
public interface MessageStorage<T> {
  /**
   * Writes one message; it is settled when this returns. No lock and no transaction is held
   * meanwhile. When it takes too long, the thread is interrupted.
   *
   * @throws Exception if it failed; it is tried again after a while
   */
  void store(StoredMessage<T> message) throws Exception;
}
