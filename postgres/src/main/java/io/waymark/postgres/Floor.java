package io.waymark.postgres;

import org.jspecify.annotations.Nullable;

/**
 * What a read must see of its session's writes, as judged by one view: what the rules look at
 * besides the replica.
 *
 * @param view what was believed
 * @param token everything up to here; null for no demand
 * @param resolved false where the session has writes whose place is not known yet; then the token
 *     is not enough
 */
record Floor(ReplicaSetView view, @Nullable Token token, boolean resolved) {
  /** The same demand, judged by what is believed now. */
  Floor in(ReplicaSetView now) {
    return new Floor(now, token, resolved);
  }
}
