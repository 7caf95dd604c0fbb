package io.waymark.durable;

/** The stable codes of what can go wrong with a store. A code never changes its meaning. */
public enum StoreError {
  /** Another process, or another store of this one, has the file open. Nothing was opened. */
  IN_USE("WM2001"),
  /** Tables are missing, differ, or are newer than this version knows. Nothing was changed. */
  SCHEMA("WM2002"),
  /** A statement failed, and the transaction with it: nothing of it is in the store. */
  FAILED("WM2003"),
  /** The commit failed in a way that does not tell whether it took effect. */
  OUTCOME_UNKNOWN("WM2004"),
  /** The store or the outbox is closed. Nothing was done. */
  CLOSED("WM2005");

  private final String code;

  StoreError(String code) {
    this.code = code;
  }

  /** The code, such as {@code WM2003}. */
  public String code() {
    return code;
  }
}
