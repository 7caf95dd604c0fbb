package io.waymark.durable;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One call of a handler, between the thread that makes it and the watch that may end its patience.
 * Exactly one of the two learns that it has to settle the claim. Thread safe.
 */
final class Attempt {
  private enum State {
    RUNNING,
    ENDED,
    ABANDONED
  }

  private final long began;
  private final long deadline;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile State state = State.RUNNING;
  private boolean slotFreed;

  Attempt(long began, long deadline, Thread thread) {
    this.began = began;
    this.deadline = deadline;
    this.thread = thread;
  }

  long began() {
    return began;
  }

  long deadline() {
    return deadline;
  }

  boolean isAbandoned() {
    return state == State.ABANDONED;
  }

  /**
   * The handler is done. False if nobody waited for it: then it was interrupted, or will not be.
   */
  boolean end() {
    return leave(State.ENDED, false);
  }

  /**
   * Gives up on it and interrupts the thread. False if it has ended.
   *
   * @param freed whether its slot is another's from now on
   */
  boolean abandon(boolean freed) {
    return leave(State.ABANDONED, freed);
  }

  /** Whether the slot of an abandoned attempt went to another. */
  boolean isSlotFreed() {
    lock.lock();
    try {
      return slotFreed;
    } finally {
      lock.unlock();
    }
  }

  private boolean leave(State next, boolean freed) {
    lock.lock();
    try {
      if (state != State.RUNNING) {
        return false;
      }
      state = next;
      slotFreed = freed;
      if (next == State.ABANDONED) {
        thread.interrupt(); // under the lock, so that it cannot hit what the thread does next
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
