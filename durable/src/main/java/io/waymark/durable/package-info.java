/**
 * What must survive a crash: a store in a SQLite file or a PostgreSQL database, the scheduler over
 * it, the outbox and the fan-out.
 *
 * <p>{@link io.waymark.durable.DurableStore} runs short transactions and owns the tables that it
 * creates. {@link io.waymark.durable.Outbox} stages the newest value of each key in a caller's
 * transaction and delivers it after the commit, as often as it takes. {@link
 * io.waymark.durable.Fanout} brings each message of a batch to several targets. Both deliver by one
 * engine, {@code DeliveryEngine}. Nothing here knows what is delivered or to whom: that is for the
 * handlers. All SQL stands in {@code OutboxSql} and {@code FanoutSql}, all DDL in the resources
 * next to this package.
 */
@NullMarked
package io.waymark.durable;

import org.jspecify.annotations.NullMarked;
