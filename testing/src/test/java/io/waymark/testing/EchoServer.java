package io.waymark.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Sends back what it gets. */
final class EchoServer implements AutoCloseable {

  private final ServerSocket listener;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "echo");
            thread.setDaemon(true);
            return thread;
          });
  private final Thread acceptor;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong received = new AtomicLong();

  EchoServer() throws IOException {
    listener = new ServerSocket();
    listener.bind(FreePort.loopback(0), 1024);
    acceptor = new Thread(this::acceptAll, "echo-accept");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  long received() {
    return received.get();
  }

  int open() {
    return open.size();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        threads.execute(() -> echo(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void echo(Socket socket) {
    byte[] buffer = new byte[64 * 1024];
    try (socket) {
      int count;
      while ((count = socket.getInputStream().read(buffer)) >= 0) {
        received.addAndGet(count);
        socket.getOutputStream().write(buffer, 0, count);
      }
    } catch (IOException e) {
      // The connection was cut, which is what the tests do.
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    Threads.join(acceptor); // until then one more connection may be accepted
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
