package io.waymark.postgres;

/**
 * What positions mean something in: a system identifier, a timeline of it, and the server that
 * writes it. Two standbys of one dead primary can both be promoted to the same timeline with
 * different rows, so the timeline alone is not enough.
 *
 * @param server the server that writes this history
 * @param timeline the timeline that it writes; positive
 */
record History(ServerInstance server, int timeline) {
  /** Whether both are one history: the same timeline of the same system, by the same server. */
  boolean same(History other) {
    return timeline == other.timeline && server.sameServer(other.server);
  }
}
