package io.waymark.testing.postgres;

/**
 * Cuts one direction of PostgreSQL's protocol into messages, whatever the pieces in which its bytes
 * arrive (see "Message Formats" in the manual). A message is a type, a length and a payload; the
 * first ones from a client have no type. Not thread safe.
 */
final class MessageReader {

  private static final int LENGTH_BYTES = 4;

  /** What is told about a message once all of it was seen. */
  @FunctionalInterface
  interface Listener {
    /**
     * A message has ended.
     *
     * @param type its type, or 0 if it has none
     * @param code the first four bytes of its payload as a number, as far as there are so many
     */
    void message(char type, int code);
  }

  private final Listener listener;
  private boolean typed;
  private char type;
  private int header;
  private int length;
  private int code;
  private int codeBytes;
  private long payload;

  MessageReader(boolean typed, Listener listener) {
    this.typed = typed;
    this.listener = listener;
  }

  /** From the next message on, messages have types. */
  void typed() {
    typed = true;
  }

  void read(byte[] buffer, int offset, int count) {
    int at = offset;
    int end = offset + count;
    while (at < end) {
      if (payload == 0) {
        header(buffer[at++] & 0xFF);
      } else if (codeBytes < LENGTH_BYTES) {
        code = code << Byte.SIZE | (buffer[at++] & 0xFF);
        codeBytes++;
        payload--;
      } else {
        int skipped = (int) Math.min(payload, end - at);
        at += skipped;
        payload -= skipped;
      }
      endIfComplete();
    }
  }

  private void header(int octet) {
    if (typed && header == 0) {
      type = (char) octet;
    } else {
      length = length << Byte.SIZE | octet;
    }
    header++;
    if (headerComplete()) {
      payload = Math.max(0, Integer.toUnsignedLong(length) - LENGTH_BYTES);
    }
  }

  private boolean headerComplete() {
    return header == LENGTH_BYTES + (typed ? 1 : 0);
  }

  private void endIfComplete() {
    if (payload > 0 || !headerComplete()) {
      return;
    }
    char ended = typed ? type : 0;
    int told = code;
    header = 0;
    length = 0;
    code = 0;
    codeBytes = 0;
    listener.message(ended, told);
  }
}
