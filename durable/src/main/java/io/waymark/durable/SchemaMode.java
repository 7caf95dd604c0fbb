package io.waymark.durable;

/** What a store does about its tables when it opens. */
public enum SchemaMode {
  /** Creates or extends them where steps are missing, under a lock; needs rights for that. */
  CREATE,
  /** Only checks that all steps were made, and made as this version knows them. */
  VALIDATE,
  /** Neither looks nor touches: somebody else takes care. */
  NONE
}
