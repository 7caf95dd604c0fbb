package io.waymark.postgres;

import io.waymark.core.Role;
import org.jspecify.annotations.Nullable;

/**
 * Forces a role for the connections that one thread gets, until it is closed. Close it on the
 * thread that opened it, innermost first, as try-with-resources does.
 */
public final class RouteScope implements AutoCloseable {
  private final Role role;
  private final ThreadLocal<@Nullable RouteScope> scopes;
  private final @Nullable RouteScope outer;

  RouteScope(Role role, ThreadLocal<@Nullable RouteScope> scopes, @Nullable RouteScope outer) {
    this.role = role;
    this.scopes = scopes;
    this.outer = outer;
  }

  /** The forced role. */
  public Role role() {
    return role;
  }

  /** Ends the scope: the one around it, if any, is in force again. Idempotent. */
  @Override
  public void close() {
    if (scopes.get() == this) {
      if (outer == null) {
        scopes.remove();
      } else {
        scopes.set(outer);
      }
    }
  }
}
