/**
 * A real PostgreSQL cluster for tests: one primary and streaming replicas on 127.0.0.1, with levers
 * for lag, outage and failover, and a proxy in front of each node that injects network faults and
 * counts round trips.
 *
 * <p>Start at {@link io.waymark.testing.postgres.PostgresCluster#builder()}. The servers come from
 * the binaries on the class path, from the local Maven repository or from an installation; no
 * container and no installed server is needed. Nothing here routes calls, and nothing here is meant
 * for data that anybody wants to keep. JUnit is optional: only {@link
 * io.waymark.testing.postgres.PostgresClusterExtension} needs it.
 */
@NullMarked
package io.waymark.testing.postgres;

import org.jspecify.annotations.NullMarked;
