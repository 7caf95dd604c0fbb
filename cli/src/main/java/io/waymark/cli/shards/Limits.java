package io.waymark.cli.shards;

/**
 * The value that every shard must hold.
 *
 * @param revision counts the changes of the value, in the transaction that makes them: what a shard
 *     holds must never go back to a lower one
 * @param rate what is limited
 * @param updates the numbers of all updates that went into it, as {@link Numbers}
 */
record Limits(long revision, int rate, String updates) {
  static final Limits NONE = new Limits(0, 0, "");

  Limits after(long update, int rate) {
    return new Limits(revision + 1, rate, Numbers.parse(updates).with(update).toString());
  }
}
