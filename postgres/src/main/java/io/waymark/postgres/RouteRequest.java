package io.waymark.postgres;

import io.waymark.core.Operation;
import io.waymark.core.Role;
import org.jspecify.annotations.Nullable;

/**
 * What a call asks of routing. Immutable.
 *
 * @param operation what it does
 * @param forced the role that it must go to; null for none
 * @param primaryOnly whether it reads something that only the primary can give it, such as a
 *     serializable snapshot
 */
record RouteRequest(Operation operation, @Nullable Role forced, boolean primaryOnly) {}
