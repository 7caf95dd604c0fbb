package io.waymark.postgres;

import io.waymark.core.Operation;

/**
 * An endpoint was chosen for a call that is about to be sent.
 *
 * @param operation what the call does
 * @param endpoint the chosen endpoint's name
 * @param reason why, in the text form of reasons: {@code auto:east}, {@code fallback:behind}
 */
public record RouteEvent(Operation operation, String endpoint, String reason) {}
