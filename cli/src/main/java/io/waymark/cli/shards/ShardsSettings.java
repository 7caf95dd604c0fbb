package io.waymark.cli.shards;

import java.time.Duration;

/**
 * What the demo of shards was started with.
 *
 * @param duration how long the group is changed and its processes are troubled
 * @param store where coordinators keep the group, and where it is published
 * @param seed of every choice
 */
public record ShardsSettings(Duration duration, Store store, long seed) {
  /** Where things are kept. */
  public enum Store {
    /** Two coordinators over one PostgreSQL database, and published there. */
    POSTGRES(2),
    /** One coordinator over a SQLite file, and published in a directory. */
    SQLITE(1);

    private final int coordinators;

    Store(int coordinators) {
      this.coordinators = coordinators;
    }

    /** How many coordinators may run at once. */
    public int coordinators() {
      return coordinators;
    }
  }

  /** How many readers there are. */
  public int readers() {
    return 3;
  }

  /** How many members there are. */
  public int members() {
    return Place.MEMBERS.size();
  }
}
