package io.waymark.testing.postgres;

import io.waymark.testing.ByteObserver;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the round trips that clients make, from the messages they send (see "Message Formats" in
 * PostgreSQL's manual): a server answers a simple query ({@code Q}), a sync ({@code S}) and a
 * function call ({@code F}) with "ready for query", which is what a driver waits for.
 */
final class RoundTripCounter {

  private final AtomicLong count = new AtomicLong();

  long count() {
    return count.get();
  }

  /** An observer for one more connection. */
  ByteObserver connection() {
    return new Connection(count);
  }

  /**
   * Reads one connection's messages: first those without a type (a request for encryption, the
   * start, a cancellation), then those with one. Encrypted connections cannot be read; the
   * cluster's servers have no encryption.
   */
  private static final class Connection implements ByteObserver {

    private static final int PROTOCOL_3 = 3;
    private static final int LENGTH_BYTES = 4;

    private final AtomicLong count;
    private boolean started;
    private char type;
    private int headerBytes;
    private int length;
    private long toSkip;
    private int codeBytes;
    private int code;

    Connection(AtomicLong count) {
      this.count = count;
    }

    @Override
    public void onBytes(byte[] buffer, int offset, int length) {
      int at = offset;
      int end = offset + length;
      while (at < end) {
        if (toSkip > 0 && (started || codeBytes == LENGTH_BYTES)) {
          int skipped = (int) Math.min(toSkip, end - at);
          at += skipped;
          toSkip -= skipped;
        } else {
          header(buffer[at++] & 0xFF);
        }
        endOfMessage();
      }
    }

    private void header(int octet) {
      if (toSkip > 0) {
        code = code << 8 | octet;
        codeBytes++;
        toSkip--;
      } else if (started && headerBytes == 0) {
        type = (char) octet;
        headerBytes = 1;
        length = 0;
      } else {
        length = length << 8 | octet;
        headerBytes++;
        if (headerBytes == LENGTH_BYTES + (started ? 1 : 0)) {
          toSkip = (length & 0xFFFFFFFFL) - LENGTH_BYTES;
          codeBytes = 0;
          code = 0;
        }
      }
    }

    private void endOfMessage() {
      boolean headerRead = headerBytes == LENGTH_BYTES + (started ? 1 : 0);
      if (!headerRead || toSkip > 0) {
        return;
      }
      headerBytes = 0;
      length = 0;
      if (started) {
        if (type == 'Q' || type == 'S' || type == 'F') {
          count.incrementAndGet();
        }
      } else if (code >>> 16 == PROTOCOL_3) {
        started = true;
      }
    }
  }
}
