package io.waymark.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Carries the bytes of one direction of one connection. With latency it goes on reading while
 * earlier bytes wait for their time, so that a delayed connection is late, not slow.
 */
final class Pump {

  private static final int CHUNK = 64 * 1024;
  private static final int MAX_WAITING = 4 * 1024 * 1024;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final class Waiting {
    final long dueNanos;
    final byte[] bytes;

    Waiting(long dueNanos, byte[] bytes) {
      this.dueNanos = dueNanos;
      this.bytes = bytes;
    }
  }

  private final Direction direction;
  private final Socket from;
  private final Levers levers;
  private final Relay relay;
  private final List<ConnectionObserver> observers;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[CHUNK];
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private boolean ended;

  Pump(
      Direction direction,
      Socket from,
      Socket to,
      Levers levers,
      Relay relay,
      List<ConnectionObserver> observers)
      throws IOException {
    this.direction = direction;
    this.from = from;
    this.levers = levers;
    this.relay = relay;
    this.observers = observers;
    this.in = from.getInputStream();
    this.out = to.getOutputStream();
  }

  /**
   * Carries until the end of the stream.
   *
   * @return true at the end of the stream, false if the connection is to be cut
   */
  boolean run() throws IOException {
    while (!ended || !waiting.isEmpty()) {
      if (!deliverDue()) {
        return false;
      }
      if (!read()) {
        return false;
      }
    }
    return levers.admit(direction, relay);
  }

  private boolean deliverDue() throws IOException {
    while (!waiting.isEmpty()) {
      Waiting first = waiting.element();
      if (first.dueNanos - System.nanoTime() > 0) {
        return true;
      }
      waiting.remove();
      waitingBytes -= first.bytes.length;
      if (!deliver(first.bytes, first.bytes.length)) {
        return false;
      }
    }
    return true;
  }

  /** Reads once, but no longer than until the first waiting bytes are due. */
  private boolean read() throws IOException {
    long patience = patienceMillis();
    if (ended || waitingBytes >= MAX_WAITING) {
      pause(patience);
      return true;
    }
    int count;
    try {
      from.setSoTimeout((int) patience);
      count = in.read(buffer);
    } catch (SocketTimeoutException e) {
      return true;
    }
    if (count < 0) {
      ended = true;
      return true;
    }
    long delay = levers.delayNanos(direction);
    if (delay == 0 && waiting.isEmpty()) {
      return deliver(buffer, count);
    }
    waiting.add(new Waiting(System.nanoTime() + delay, Arrays.copyOf(buffer, count)));
    waitingBytes += count;
    return true;
  }

  /** Milliseconds until the first waiting bytes are due, at least 1; 0, for ever, if none wait. */
  private long patienceMillis() {
    if (waiting.isEmpty()) {
      return 0;
    }
    long nanos = waiting.element().dueNanos - System.nanoTime();
    return Math.max(
        1, Math.min(Integer.MAX_VALUE, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
  }

  private void pause(long millis) throws IOException {
    if (waiting.isEmpty()) {
      return;
    }
    if (!levers.linger(millis, relay)) {
      throw new IOException("closed while bytes waited");
    }
  }

  private boolean deliver(byte[] bytes, int length) throws IOException {
    if (!levers.admit(direction, relay)) {
      return false;
    }
    int granted = levers.take(direction, length);
    for (ConnectionObserver observer : observers) {
      if (direction == Direction.TO_SERVER) {
        observer.toServer(bytes, 0, granted);
      } else {
        observer.toClient(bytes, 0, granted);
      }
    }
    out.write(bytes, 0, granted);
    return granted == length;
  }
}
