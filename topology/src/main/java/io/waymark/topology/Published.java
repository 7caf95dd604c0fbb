package io.waymark.topology;

/** What a coordinator publishes of a group: its {@link GroupSnapshot}, or the {@link Tombstone}. */
public sealed interface Published permits GroupSnapshot, Tombstone {
  /** The group's name. */
  String group();

  /** When its coordinator issued this. */
  Stamp stamp();
}
