package io.waymark.topology;

/** A part that members play: who gets new work, and who may hold data. */
public enum MemberRole {
  /** The write set: active members. */
  WRITE,
  /** The read set: active and draining members. */
  READ;

  /** Whether a member in this state plays this part. */
  public boolean includes(MemberState state) {
    return state == MemberState.ACTIVE || (this == READ && state == MemberState.DRAINING);
  }
}
