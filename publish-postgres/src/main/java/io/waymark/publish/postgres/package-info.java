/**
 * Published groups in a table of PostgreSQL 13 or newer: {@link
 * io.waymark.publish.postgres.PostgresSnapshots} reads them and {@link
 * io.waymark.publish.postgres.PostgresPublisher} writes them. Readers need neither the coordinator
 * nor the right to write.
 */
@NullMarked
package io.waymark.publish.postgres;

import org.jspecify.annotations.NullMarked;
