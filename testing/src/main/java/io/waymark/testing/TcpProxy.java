package io.waymark.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on 127.0.0.1 that injects faults. Its levers act on connections that are open and on
 * those that come later, may be combined, and stay until they are taken back:
 *
 * <ul>
 *   <li>{@link #latency}: bytes arrive later, per direction, without loss of throughput;
 *   <li>{@link #blackHole()} until {@link #resume()}: connections open and stay open, and nothing
 *       is passed on in either direction;
 *   <li>{@link #refuse()} until {@link #accept()}: the port does not listen, so new connections are
 *       refused; open ones live on;
 *   <li>{@link #reset()}: the connections that are open now are aborted with a TCP reset;
 *   <li>{@link #cutAfter}: after so many more bytes in one direction a connection is cut, once;
 *   <li>{@link #target}: later connections go to another server;
 *   <li>{@link #targets}: later connections go to several servers in turn, as through a balancer.
 * </ul>
 *
 * <p>Bytes and connections are counted, and a {@link ConnectionObserver} sees the bytes. Two daemon
 * threads carry each connection; their names begin with {@code waymark-proxy-}. {@link #close()}
 * ends them all and gives the port back.
 *
 * <p>Thread safe.
 */
public final class TcpProxy implements AutoCloseable {

  private static final int BACKLOG = 1024;
  private static final long ACCEPT_PAUSE_NANOS = 5_000_000;

  private final FreePort port = FreePort.find();
  private final Levers levers = new Levers();
  private final List<Supplier<? extends ConnectionObserver>> watches;
  private final String name;
  private final Set<Relay> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong opened = new AtomicLong();

  /** Guards the listener: refuse, accept and close exclude each other. */
  private final ReentrantLock listening = new ReentrantLock();

  /** Where connections lead to, in turn. */
  private volatile List<InetSocketAddress> targets;

  private final AtomicLong turns = new AtomicLong();
  private volatile boolean closed;
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;

  TcpProxy(
      InetSocketAddress target, String name, List<Supplier<? extends ConnectionObserver>> watches) {
    this.targets = List.of(target);
    this.watches = watches;
    this.name = "waymark-proxy-" + (name.isEmpty() ? String.valueOf(port.number()) : name);
    try {
      accept();
    } catch (RuntimeException e) {
      port.close();
      throw e;
    }
  }

  /** Options for a proxy. */
  public static TcpProxyBuilder builder() {
    return new TcpProxyBuilder();
  }

  /**
   * Starts a proxy in front of a server.
   *
   * @param host the server's host name or address
   * @param port the server's port
   * @throws UncheckedIOException if no port could be opened
   */
  public static TcpProxy to(String host, int port) {
    return builder().target(host, port).start();
  }

  static InetSocketAddress address(String host, int port) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port must be 1 to 65535, was " + port);
    }
    return new InetSocketAddress(Objects.requireNonNull(host, "host"), port);
  }

  /** The address clients connect to: always 127.0.0.1. */
  public String host() {
    return "127.0.0.1";
  }

  /** The port clients connect to; it stays the same until close. */
  public int port() {
    return port.number();
  }

  /**
   * Sends later connections to another server; open ones stay where they are.
   *
   * @throws IllegalArgumentException if the port is not 1 to 65535
   */
  public void target(String host, int port) {
    targets = List.of(address(host, port));
  }

  /**
   * Sends later connections to several servers of one host in turn; open ones stay where they are.
   *
   * @throws IllegalArgumentException if there is no port, or one is not 1 to 65535
   */
  public void targets(String host, int... ports) {
    if (ports.length == 0) {
      throw new IllegalArgumentException("there must be a port");
    }
    targets = IntStream.of(ports).mapToObj(port -> address(host, port)).toList();
  }

  private InetSocketAddress nextTarget() {
    List<InetSocketAddress> now = targets;
    return now.get(Math.floorMod(turns.getAndIncrement(), now.size()));
  }

  /**
   * Delays the bytes of one direction from now on.
   *
   * @param direction the direction to delay
   * @param delay how much later bytes arrive, in whole milliseconds (rounded up); zero takes the
   *     lever back
   * @throws IllegalArgumentException if the delay is negative
   */
  public void latency(Direction direction, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay must not be negative, was " + delay);
    }
    levers.delay(direction, delay);
  }

  /**
   * Delays the bytes of both directions, each by the given time: a request and its answer take
   * twice as much longer.
   */
  public void latency(Duration delay) {
    latency(Direction.TO_SERVER, delay);
    latency(Direction.TO_CLIENT, delay);
  }

  /**
   * Passes nothing on any more, in either direction, until {@link #resume()}. Connections still
   * open and stay open, and as in a real black hole nobody learns that the other side has gone.
   */
  public void blackHole() {
    blackHole(Direction.TO_SERVER);
    blackHole(Direction.TO_CLIENT);
  }

  /**
   * Passes nothing on in one direction until {@link #resume()}. With {@link Direction#TO_CLIENT}
   * the server does what it was asked and its answer never arrives.
   */
  public void blackHole(Direction direction) {
    levers.hold(direction);
  }

  /** Ends the black hole: what was held arrives now, in order. Does nothing if there is none. */
  public void resume() {
    levers.resume();
  }

  /**
   * Cuts a connection after some more bytes: from now on, counted over all connections, this many
   * bytes pass in the given direction; the connection that carries the byte after them is closed on
   * both sides once they are delivered. Then the lever is spent. With 0 bytes {@link
   * Direction#TO_SERVER} the next request is lost before the server sees it; with 0 bytes {@link
   * Direction#TO_CLIENT} it is done, and its answer is lost.
   *
   * @param direction the direction to count
   * @param bytes how many bytes still pass, at least 0
   * @throws IllegalArgumentException if the number is negative
   */
  public void cutAfter(Direction direction, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be at least 0, was " + bytes);
    }
    levers.cutAfter(direction, bytes);
  }

  /** Takes {@link #cutAfter} back in both directions where it is not spent yet. */
  public void cancelCut() {
    levers.cancelCut();
  }

  /** Aborts all connections that are open now, with a TCP reset on both sides. */
  public void reset() {
    live.forEach(Relay::reset);
  }

  /**
   * Stops listening: new connections are refused. Connections that are open live on; {@link
   * #reset()} ends them. Does nothing if connections are refused already.
   */
  public void refuse() {
    listening.lock();
    try {
      ServerSocket open = listener;
      if (open != null) {
        listener = null;
        stopListening(open);
        port.hold();
      }
    } finally {
      listening.unlock();
    }
  }

  /**
   * Listens again, on the same port. Does nothing if the proxy listens already.
   *
   * @throws IllegalStateException if the proxy is closed
   * @throws UncheckedIOException if the port cannot be opened again
   */
  public void accept() {
    listening.lock();
    try {
      if (closed) {
        throw new IllegalStateException(this + " is closed");
      }
      if (listener == null) {
        port.release();
        ServerSocket socket = listen();
        listener = socket;
        Thread thread = new Thread(() -> acceptAll(socket), name + "-accept");
        thread.setDaemon(true);
        thread.start();
        acceptor = thread;
      }
    } finally {
      listening.unlock();
    }
  }

  private ServerSocket listen() {
    try {
      ServerSocket socket = new ServerSocket();
      try {
        socket.setReuseAddress(true);
        socket.bind(FreePort.loopback(port.number()), BACKLOG);
        return socket;
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("proxy cannot listen on " + port, e);
    }
  }

  private void stopListening(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("proxy cannot stop listening on " + port, e);
    }
    Thread thread = acceptor;
    acceptor = null;
    if (thread != null) {
      Threads.join(thread);
    }
  }

  private void acceptAll(ServerSocket socket) {
    while (true) {
      Socket client;
      try {
        client = socket.accept();
      } catch (IOException e) {
        if (socket.isClosed()) {
          return;
        }
        // Out of file descriptors, or a client that went away in between: neither ends the proxy.
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
        continue;
      }
      carry(client);
    }
  }

  private void carry(Socket client) {
    String label = name + "-" + opened.incrementAndGet();
    Relay relay = new Relay(label, client, nextTarget(), levers, observers(), live::remove);
    live.add(relay);
    relay.start();
  }

  private List<ConnectionObserver> observers() {
    List<ConnectionObserver> observers = new ArrayList<>(watches.size());
    watches.forEach(watch -> observers.add(watch.get()));
    return observers;
  }

  /** Bytes passed on in one direction since the start, over all connections. */
  public long bytes(Direction direction) {
    return levers.passed(direction);
  }

  /** Connections accepted since the start. */
  public long connectionsOpened() {
    return opened.get();
  }

  /** Connections that are open now, as far as the proxy can know. */
  public int connectionsLive() {
    return live.size();
  }

  /** Closes all connections, ends all threads and gives the port back. Idempotent. */
  @Override
  public void close() {
    listening.lock();
    try {
      closed = true;
      ServerSocket open = listener;
      listener = null;
      if (open != null) {
        stopListening(open);
      }
    } finally {
      listening.unlock();
    }
    levers.close();
    List<Relay> rest = new ArrayList<>(live);
    rest.forEach(Relay::close);
    rest.forEach(Relay::join);
    port.close();
  }

  @Override
  public String toString() {
    return targets.stream()
        .map(target -> target.getHostString() + ":" + target.getPort())
        .collect(Collectors.joining(" or ", "TcpProxy[" + port + " -> ", "]"));
  }
}
