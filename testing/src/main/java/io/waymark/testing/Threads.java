package io.waymark.testing;

/** Waiting for threads that are about to end. */
final class Threads {

  private Threads() {}

  /** Waits for the end of a thread; an interrupt is kept for the caller and does not shorten it. */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
