package io.waymark.testing.postgres;

/**
 * What has gone through a node's proxy.
 *
 * @param requests simple queries, syncs and function calls of PostgreSQL's protocol, after the
 *     start of the connection: what a server answers with "ready for query"
 * @param roundTrips requests that were sent while the connection waited for no other answer;
 *     drivers send some requests together, such as {@code BEGIN} with the first statement
 * @param bytesToServer bytes from clients to the server
 * @param bytesToClient bytes from the server to clients
 * @param connectionsOpened connections that were accepted
 */
public record WireStats(
    long requests,
    long roundTrips,
    long bytesToServer,
    long bytesToClient,
    long connectionsOpened) {

  /** What was added since an earlier reading. */
  public WireStats minus(WireStats earlier) {
    return new WireStats(
        requests - earlier.requests,
        roundTrips - earlier.roundTrips,
        bytesToServer - earlier.bytesToServer,
        bytesToClient - earlier.bytesToClient,
        connectionsOpened - earlier.connectionsOpened);
  }
}
