package io.waymark.testing.postgres;

import io.waymark.testing.ConnectionObserver;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the requests and the round trips that clients make. A request is what a server answers
 * with "ready for query": a simple query ({@code Q}), a sync ({@code S}) or a function call ({@code
 * F}). Drivers send several at once, such as {@code BEGIN} with the first statement; a round trip
 * is a request that is sent while no other one of the connection waits for its answer.
 *
 * <p>Thread safe. Encrypted connections cannot be read; the cluster's servers have no encryption.
 */
final class RoundTripCounter {

  private static final int PROTOCOL_3 = 3;
  private static final int CANCELLATION = 80877102;

  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();

  long requests() {
    return requests.get();
  }

  long roundTrips() {
    return roundTrips.get();
  }

  /** An observer for one more connection. */
  ConnectionObserver connection() {
    return new Connection();
  }

  private final class Connection implements ConnectionObserver {

    private final MessageReader fromClient = new MessageReader(false, this::request);
    private final MessageReader fromServer = new MessageReader(true, this::answer);
    private final AtomicInteger unanswered = new AtomicInteger();

    /** Answers of a single byte, without length, that are still to come. */
    private final AtomicInteger refusals = new AtomicInteger();

    @Override
    public void toServer(byte[] buffer, int offset, int length) {
      fromClient.read(buffer, offset, length);
    }

    @Override
    public void toClient(byte[] buffer, int offset, int length) {
      int skipped = 0;
      while (skipped < length && refusals.get() > 0) {
        refusals.decrementAndGet();
        skipped++;
      }
      fromServer.read(buffer, offset + skipped, length - skipped);
    }

    private void request(char type, int code) {
      if (type == 'Q' || type == 'S' || type == 'F') {
        requests.incrementAndGet();
        if (unanswered.getAndIncrement() == 0) {
          roundTrips.incrementAndGet();
        }
      } else if (type == 0 && code >>> Short.SIZE == PROTOCOL_3) {
        fromClient.typed();
      } else if (type == 0 && code != CANCELLATION) {
        // A request for encryption is refused with one letter.
        refusals.incrementAndGet();
      }
    }

    /** Ready for query; the first one ends the start, which is no request. */
    private void answer(char type, int code) {
      if (type == 'Z') {
        unanswered.updateAndGet(count -> Math.max(0, count - 1));
      }
    }
  }
}
