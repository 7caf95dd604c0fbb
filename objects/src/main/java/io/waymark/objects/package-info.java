/**
 * Named shards with a durable store each: a SQLite file for every name, in one process, or names in
 * one PostgreSQL database that several processes share under fenced leases.
 *
 * <p>{@link io.waymark.objects.NamedObjects} opens an object on first use, closes it when it has
 * been idle, and keeps it to one owner. What an object does is the application's; which object a
 * call goes to is the router's.
 */
@NullMarked
package io.waymark.objects;

import org.jspecify.annotations.NullMarked;
