package io.waymark.cli.simulation;

/** Where calls are worked on. */
interface Server {
  /**
   * Takes a call.
   *
   * @param work how long it takes alone on a server of full speed, in nanoseconds
   * @param done what happens when it is done
   */
  void take(long work, Runnable done);
}
