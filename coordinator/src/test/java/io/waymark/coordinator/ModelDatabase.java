package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import io.waymark.durable.StoreTime;

/** A database that can be put back to what it was, as the model's tests need one. */
interface ModelDatabase extends AutoCloseable {
  /** How many processes may use it at once. */
  int processes();

  /** Opens a store for one of them. */
  DurableStore open(int process, ProcessGate gate, StoreTime time);

  /** Keeps all that is committed now. */
  Copy copy();

  /** Ends the connections of a process, which may be in the middle of anything. */
  void breakConnections(int process);

  /** Whether an attempt to publish is claimed. */
  boolean isPublishing();

  /** What was committed at one moment. */
  interface Copy {
    /**
     * Puts the database back, whose history is another one from then on. Nothing may be open on
     * SQLite.
     *
     * @param dice in which of the ways in which that happens
     * @return whether only a person can notice: the epoch must be raised by hand
     */
    boolean restore(io.waymark.testing.SeededRandom dice);
  }

  @Override
  void close();
}
