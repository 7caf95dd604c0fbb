package io.waymark.topology;

/** What the stores' own tests can do and others cannot. */
public final class SnapshotSeams {
  private SnapshotSeams() {}

  /** What is stored under this name is lost. */
  public static void forget(MemorySnapshots snapshots, String group) {
    snapshots.scribble(group, "lost");
  }
}
