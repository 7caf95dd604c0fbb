package io.waymark.durable;

import io.waymark.core.RoutingLoad;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the targets of one fan-out share.
 *
 * @param name of the fan-out
 * @param deadLetters where dead letters go, if they go anywhere
 * @param load counts attempts
 */
record FanoutParts<T>(
    String name,
    DeliveryHost host,
    FanoutTable table,
    Function<String, T> decoder,
    @Nullable MessageStorage<T> deadLetters,
    RoutingLoad load,
    FanoutObserver observer) {}
