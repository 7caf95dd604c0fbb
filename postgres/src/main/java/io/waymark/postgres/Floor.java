package io.waymark.postgres;

import org.jspecify.annotations.Nullable;

/**
 * What a read must see of its session's writes.
 *
 * @param token everything up to here; null for no demand
 * @param resolved false where the session has writes whose place is not known yet; then the token
 *     is not enough
 */
record Floor(@Nullable Token token, boolean resolved) {
  /** No demand. */
  static final Floor NONE = new Floor(null, true);
}
