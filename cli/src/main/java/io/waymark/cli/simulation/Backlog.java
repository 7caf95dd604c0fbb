package io.waymark.cli.simulation;

/** Deliveries that wait in a shard: some that nothing takes away, and others that go one by one. */
final class Backlog {
  private final VirtualTime time;
  private final double nanosForEach;
  private final long stuck;
  private double waiting;
  private long since;

  /**
   * @param rate deliveries in a unit
   * @param stuck how many wait for ever
   */
  Backlog(VirtualTime time, double rate, long stuck) {
    this.time = time;
    this.nanosForEach = VirtualTime.UNIT / rate;
    this.stuck = stuck;
  }

  void add() {
    waiting = moving() + 1;
    since = time.getAsLong();
  }

  /** How many wait now. */
  long pending() {
    return stuck + Math.round(moving());
  }

  /** How many wait now that do not wait for ever. */
  double moving() {
    return Math.max(0, waiting - (time.getAsLong() - since) / nanosForEach);
  }
}
