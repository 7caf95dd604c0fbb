package io.waymark.durable;

/**
 * The errors of this module, with their stable codes: a code stands at the start of a message and
 * never changes its meaning.
 */
public enum StoreError {
  /** Another process, or another store of this one, has the file open. Nothing was opened. */
  IN_USE(
      2001,
      true,
      "Another process, or another store of this one, has the SQLite file open. Nothing was opened.",
      "Close the other one, or share a store on PostgreSQL."),
  /** Tables are missing, differ, or are newer than this version knows. Nothing was changed. */
  SCHEMA(
      2002,
      false,
      "Tables are missing, differ, or are newer than this version knows. Nothing was changed.",
      "Open the store once with schema create by a role that may create tables, or use the version"
          + " that made the tables, or a newer one."),
  /** A statement failed, and the transaction with it: nothing of it is in the store. */
  FAILED(
      2003,
      true,
      "The store could not be reached, or a statement failed and the transaction with it: nothing of"
          + " it is in the store.",
      "The message has what the database said."),
  /** The commit failed in a way that does not tell whether it took effect. */
  OUTCOME_UNKNOWN(
      2004,
      false,
      "The commit was not answered: it may or may not have taken effect.",
      "Read back what the transaction wrote before doing it again. What it staged, if it was"
          + " committed, is delivered without more ado."),
  /** The store, the outbox or the fan-out is closed. Nothing was done. */
  CLOSED(
      2005,
      false,
      "The store, the outbox or the fan-out is closed. Nothing was done.",
      "Open a new one."),
  /** The store's guard found that it belongs to another process now. */
  FENCED(
      2006,
      true,
      "The store belongs to another process now. The transaction was rolled back: nothing of it is in"
          + " the store.",
      "Ask for the object again: whoever owns it now serves it."),
  /** A batch was refused for what it is: nothing of it was written. */
  REFUSED(
      2010,
      false,
      "A batch was refused: a target that is not there or no target at all, an id that cannot be"
          + " used, a body that cannot be encoded. Nothing of it was written.",
      "The message says what to change."),
  /** A batch was refused because of what is pending: nothing of it was written. */
  CONFLICT(
      2011,
      false,
      "A message with the same deduplication key is pending, or in the same batch, whose id, body or"
          + " targets differ. Nothing of the batch was written.",
      "Send the same message again, or give the new one a key of its own."),
  /** A delivery was to be settled that has been settled already, or is no longer the caller's. */
  SETTLED(
      2012,
      false,
      "A delivery was to be settled that had been settled before, or whose time had run out, or"
          + " whose claim another has taken over. The earlier outcome holds, which the message names.",
      "Settle each message once, within the attempt.");

  private final int number;
  private final boolean safeToRetry;
  private final String meaning;
  private final String remedy;

  StoreError(int number, boolean safeToRetry, String meaning, String remedy) {
    this.number = number;
    this.safeToRetry = safeToRetry;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The code, such as {@code WM2003}. */
  public String code() {
    return "WM" + number;
  }

  /** Whether the same call may be made again without doing anything twice. */
  public boolean safeToRetry() {
    return safeToRetry;
  }

  /** What it means, in one or two sentences. */
  public String meaning() {
    return meaning;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }
}
