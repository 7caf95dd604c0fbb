package io.waymark.cli.simulation;

import io.waymark.core.LoadSnapshot;
import org.jspecify.annotations.Nullable;

/** Somebody who picks a member for each call. */
interface Caller {
  /** Picks a member for a call that begins now. */
  Call begin();

  /** One call under way. Ends once. */
  interface Call {
    /** The member that was picked, by its place. */
    int member();

    /** The member has answered, and said this of its load; null if it says nothing. */
    void answered(@Nullable LoadSnapshot load);

    /** The member has failed the call. */
    void failed();
  }
}
