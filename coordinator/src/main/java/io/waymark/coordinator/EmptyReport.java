package io.waymark.coordinator;

/** What came of a member's report that it is empty. */
public enum EmptyReport {
  /** The member is not draining, or not there: nothing was done. */
  IGNORED,
  /** It is kept; report again later. */
  RECORDED,
  /** It was the second report, late enough after the first: the member was removed. */
  REMOVED,
  /** It would have been removed, but it is the last member of its group. */
  LAST
}
