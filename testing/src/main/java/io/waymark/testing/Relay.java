package io.waymark.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One connection through a proxy: two sockets and the two threads that carry the bytes. It is over
 * when both directions have ended, or one of them failed.
 */
final class Relay {

  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

  private final String label;
  private final Socket client;
  private final Socket server = new Socket();
  private final InetSocketAddress target;
  private final Levers levers;
  private final List<ConnectionObserver> observers;
  private final Consumer<Relay> onEnd;
  private final AtomicInteger directionsLeft = new AtomicInteger(2);
  private final Thread toServer;
  private final Thread toClient;
  private volatile boolean closed;

  Relay(
      String label,
      Socket client,
      InetSocketAddress target,
      Levers levers,
      List<ConnectionObserver> observers,
      Consumer<Relay> onEnd) {
    this.label = label;
    this.client = client;
    this.target = target;
    this.levers = levers;
    this.observers = observers;
    this.onEnd = onEnd;
    this.toServer = thread(this::connectAndSend, "to-server");
    this.toClient = thread(this::receive, "to-client");
  }

  private Thread thread(Runnable work, String way) {
    Thread thread = new Thread(work, label + "-" + way);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    toServer.start();
  }

  /** A black hole swallows the connection to the server too, so that comes behind the gate. */
  private void connectAndSend() {
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      if (!levers.admit(Direction.TO_SERVER, this)) {
        end();
        return;
      }
      server.connect(target, CONNECT_TIMEOUT_MILLIS);
    } catch (IOException e) {
      // To the client it looks as if the server had gone away: a reset, as with a real one.
      reset();
      end();
      return;
    }
    toClient.start();
    pump(Direction.TO_SERVER, client, server);
  }

  private void receive() {
    pump(Direction.TO_CLIENT, server, client);
  }

  private void pump(Direction direction, Socket from, Socket to) {
    try {
      if (new Pump(direction, from, to, levers, this, observers).run()) {
        to.shutdownOutput();
      } else {
        close();
      }
    } catch (IOException | RuntimeException e) {
      // One side has gone, or an observer failed: the other side must not wait for ever.
      close();
    } finally {
      if (directionsLeft.decrementAndGet() == 0) {
        end();
      }
    }
  }

  private void end() {
    close();
    onEnd.accept(this);
  }

  boolean isClosed() {
    return closed;
  }

  void reset() {
    abort(client);
    abort(server);
    close();
  }

  private static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is closed already.
    }
  }

  void close() {
    closed = true;
    closeQuietly(client);
    closeQuietly(server);
    levers.wake();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more can be done with it.
    }
  }

  void join() {
    Threads.join(toServer);
    Threads.join(toClient);
  }
}
