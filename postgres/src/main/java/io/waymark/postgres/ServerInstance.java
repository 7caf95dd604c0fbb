package io.waymark.postgres;

import org.jspecify.annotations.Nullable;

/**
 * One running PostgreSQL server, as any role may see it. Evidence belongs to an instance, never to
 * a URL: behind one URL there may be several, and after a restart there is another.
 *
 * @param systemId the cluster's system identifier, an unsigned number
 * @param startedMicros when the server started, in microseconds since 1970
 * @param address the address that the connection reached; null over a Unix socket
 * @param port the port that the connection reached; 0 over a Unix socket
 */
record ServerInstance(long systemId, long startedMicros, @Nullable String address, int port) {
  /**
   * Whether both are the same server: they agree in start time, or in address and port. A restart
   * or a second address makes no new server.
   */
  boolean sameServer(ServerInstance other) {
    return systemId == other.systemId
        && (startedMicros == other.startedMicros
            || (address != null && address.equals(other.address) && port == other.port));
  }
}
