package io.waymark.publish.postgres;

/** What a publisher does about its table before the first write. */
public enum Schema {
  /** Creates it where it is not there; a role without the right to create may use one that is. */
  CREATE,
  /** Looks whether it is there with its columns. */
  VALIDATE,
  /** Nothing. */
  NONE
}
