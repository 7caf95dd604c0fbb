package io.waymark.core;

/** What is done about tables of Waymark's own in a database, before they are used. */
public enum SchemaMode {
  /**
   * Creates or extends them where something is missing, which needs rights for that. A role without
   * them may use tables that are there.
   */
  CREATE,
  /** Only checks that they are there as this version knows them. */
  VALIDATE,
  /** Neither looks nor touches: somebody else takes care. */
  NONE
}
