package io.waymark.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A TCP port on 127.0.0.1 that nobody else gets. While it is <em>held</em>, a socket is bound to it
 * that does not listen: the system gives the port to nobody, and connections to it are refused. Let
 * it {@linkplain #release() go} right before the server that is to listen there starts, and {@link
 * #hold()} it again while that server is down, so that its address stays its own.
 *
 * <p>Ports are drawn from 10000 to 32000, below the range from which systems take the local ports
 * of outgoing connections, because a program that opens thousands of those would sooner or later
 * take the port of a server that is down.
 *
 * <p>Thread safe.
 */
public final class FreePort implements AutoCloseable {

  private static final int LOWEST = 10_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 200;

  private final int number;
  private @Nullable Socket holder;

  private FreePort(int number, Socket holder) {
    this.number = number;
    this.holder = holder;
  }

  /**
   * Finds a free port and holds it.
   *
   * @throws UncheckedIOException if none of many tries found one
   */
  public static FreePort find() {
    SplittableRandom random = new SplittableRandom();
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int number = random.nextInt(LOWEST, HIGHEST);
      try {
        return new FreePort(number, bind(number, false));
      } catch (IOException e) {
        last = e;
      }
    }
    throw new UncheckedIOException(
        "no free port on 127.0.0.1 between " + LOWEST + " and " + HIGHEST,
        last == null ? new IOException("none tried") : last);
  }

  /** The port's number. */
  public int number() {
    return number;
  }

  /** Whether this object holds the port now. */
  public synchronized boolean isHeld() {
    return holder != null;
  }

  /** Lets the port go so that a server can listen on it. Does nothing if it is not held. */
  public synchronized void release() {
    Socket socket = holder;
    holder = null;
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot release port " + number, e);
      }
    }
  }

  /**
   * Holds the port again. Does nothing if it is held.
   *
   * @throws UncheckedIOException if somebody else has it, or its server still listens
   */
  public synchronized void hold() {
    if (holder == null) {
      try {
        holder = bind(number, true);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot hold port " + number, e);
      }
    }
  }

  /** Same as {@link #release()}. */
  @Override
  public void close() {
    release();
  }

  /**
   * The first time nothing may have the port, so no reuse; later the ended connections of our own
   * server may linger on it, which only reuse overlooks.
   */
  private static Socket bind(int number, boolean reuse) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setReuseAddress(reuse);
      socket.bind(loopback(number));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** By its bytes: the name localhost, or the JVM's loopback, may mean the IPv6 address. */
  static InetSocketAddress loopback(int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
  }

  @Override
  public String toString() {
    return "127.0.0.1:" + number;
  }
}
