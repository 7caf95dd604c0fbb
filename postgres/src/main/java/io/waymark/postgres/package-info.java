/**
 * Reads on PostgreSQL replicas that never lie: a {@link javax.sql.DataSource} over one primary and
 * its replicas.
 *
 * <p>Start at {@link io.waymark.postgres.WaymarkDataSource}. A call goes from the logical
 * connection through the view and the decision to a pool of one endpoint; why it went there is a
 * reason that events, {@code inspect} and messages share. What is not public here is not API.
 */
@NullMarked
package io.waymark.postgres;

import org.jspecify.annotations.NullMarked;
