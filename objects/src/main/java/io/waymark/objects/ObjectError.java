package io.waymark.objects;

/** The errors of named objects, with their stable codes. After each of them nothing was called. */
public enum ObjectError {
  /** Another process owns the name. */
  ELSEWHERE(
      2501,
      "Another process owns the name: it has the file open, or a lease that has not ended.",
      "Call that process, or try again when it has closed the object or its lease is over."),
  /** As many objects are open as may be, and all are in use. */
  TOO_MANY(
      2502,
      "As many objects are open as `maxOpen` allows, and all of them are in use or have work.",
      "Try again later, or allow more: each costs a few file handles or connections, and threads."),
  /** The file of the name was made for another one. */
  FOREIGN_FILE(
      2503,
      "The file that the name belongs to says that it was made for another name. It was not touched.",
      "Files must keep their names: give it back the one that the message names."),
  /** The store or the object could not be opened, or the thread was interrupted meanwhile. */
  NOT_OPENED(
      2504,
      "The store could not be opened, the factory threw, or the thread was interrupted while it waited"
          + " for that. What was opened is closed again.",
      "The cause says what happened; the next call tries again."),
  /** The objects are closed. */
  CLOSED(2505, "The objects are closed.", "Build new ones.");

  private final int number;
  private final String meaning;
  private final String remedy;

  ObjectError(int number, String meaning, String remedy) {
    this.number = number;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The stable code, such as {@code WM2501}. */
  public String code() {
    return "WM" + number;
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
