package io.waymark.cli.stores;

import org.jspecify.annotations.Nullable;

/**
 * Who connects.
 *
 * @param user null for the driver's own
 * @param password null for none
 */
public record Login(@Nullable String user, @Nullable String password) {
  /** Without the password. */
  @Override
  public String toString() {
    return user == null ? "no user" : user;
  }
}
