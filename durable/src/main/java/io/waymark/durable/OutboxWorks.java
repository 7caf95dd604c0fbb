package io.waymark.durable;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What the channels of one outbox share.
 *
 * @param tokens numbers that this outbox never gives twice
 */
record OutboxWorks(
    LongSupplier tokens,
    Executor executor,
    AttemptWatch watch,
    Settlements settlements,
    OutboxObserver observer) {}
