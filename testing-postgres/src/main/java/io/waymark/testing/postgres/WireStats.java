package io.waymark.testing.postgres;

/**
 * What has gone through a node's proxy.
 *
 * @param roundTrips requests that a client waited for: simple queries, syncs and function calls of
 *     PostgreSQL's protocol, after the start of the connection
 * @param bytesToServer bytes from clients to the server
 * @param bytesToClient bytes from the server to clients
 * @param connectionsOpened connections that were accepted
 */
public record WireStats(
    long roundTrips, long bytesToServer, long bytesToClient, long connectionsOpened) {

  /** What was added since an earlier reading. */
  public WireStats minus(WireStats earlier) {
    return new WireStats(
        roundTrips - earlier.roundTrips,
        bytesToServer - earlier.bytesToServer,
        bytesToClient - earlier.bytesToClient,
        connectionsOpened - earlier.connectionsOpened);
  }
}
