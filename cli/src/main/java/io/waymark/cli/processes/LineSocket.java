package io.waymark.cli.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * How workers call each other: a connection for each call, with a line there and a line back. A
 * socket in the file system keeps its address while its owner is dead, which a port does not.
 */
public final class LineSocket {
  private LineSocket() {}

  /** Answers a call. */
  @FunctionalInterface
  public interface Answerer {
    /**
     * Answers with a line.
     *
     * @throws Exception if there is no answer; the caller sees the connection end
     */
    String answer(String line) throws Exception;
  }

  /** Nobody listens: the call was surely not made. */
  public static final class NotSent extends IOException {
    private static final long serialVersionUID = 1;

    private NotSent(Path socket, IOException cause) {
      super("nobody listens at " + socket.getFileName(), cause);
    }
  }

  /**
   * Makes a call. An interrupt ends it.
   *
   * @throws NotSent if the call was surely not made
   * @throws IOException if nobody knows what became of it
   */
  public static String call(Path socket, String line) throws IOException {
    SocketChannel opened;
    try {
      opened = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      throw new NotSent(socket, e);
    }
    try (SocketChannel channel = opened) {
      new PrintWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), true).println(line);
      String answer =
          new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)).readLine();
      if (answer == null) {
        throw new IOException(socket.getFileName() + " did not answer");
      }
      return answer;
    }
  }

  /**
   * Answers calls until the thread is interrupted, each on a thread of its own: who called may be
   * paused, and is not to hold up the others.
   *
   * @param listening is run when calls can be made
   */
  public static void serve(Path socket, Runnable listening, Answerer answerer) throws IOException {
    Files.deleteIfExists(socket); // of the process before, which was killed
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      listening.run();
      while (!Thread.currentThread().isInterrupted()) {
        SocketChannel channel = server.accept();
        Thread thread = new Thread(() -> take(channel, answerer), "waymark-demo-call");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  /**
   * The same on a thread of its own, once calls can be made. A worker that nobody can reach is of
   * no use: then the process ends.
   */
  public static void serveInBackground(Path socket, Answerer answerer) throws InterruptedException {
    CountDownLatch listening = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                serve(socket, listening::countDown, answerer);
              } catch (IOException e) {
                System.err.println(socket.getFileName() + " cannot be reached: " + e);
                Runtime.getRuntime().halt(1);
              }
            },
            "waymark-demo-calls");
    thread.setDaemon(true);
    thread.start();
    listening.await();
  }

  private static void take(SocketChannel opened, Answerer answerer) {
    try (SocketChannel channel = opened) {
      String line =
          new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)).readLine();
      if (line != null) {
        String answer = answerer.answer(line);
        new PrintWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), true).println(answer);
      }
    } catch (Exception e) {
      System.err.println("a call was not answered: " + e); // its caller makes it again
    }
  }
}
