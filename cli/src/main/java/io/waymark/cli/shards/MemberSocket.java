package io.waymark.cli.shards;

import io.waymark.topology.Member;
import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;
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

/**
 * How a value comes to a member: a connection for each, with a line there and a line back. A socket
 * in the file system keeps its address while the member is dead, which a port does not.
 */
final class MemberSocket {
  private static final String HOLDS = "holds";

  private MemberSocket() {}

  /**
   * What is sent.
   *
   * @param stamp as text
   */
  record Parcel(String stamp, Limits limits) {
    StateUpdate<Limits> update() {
      return new StateUpdate<>(limits, Stamp.parse(stamp));
    }
  }

  /** Takes what arrives. */
  @FunctionalInterface
  interface Receiver {
    /**
     * When this has returned, it is on disk.
     *
     * @throws Exception if it is not
     */
    void receive(StateUpdate<Limits> update) throws Exception;
  }

  /** Returns when the member has answered that it holds this or something newer. */
  static void deliver(Member member, StateUpdate<Limits> update) throws IOException {
    Path socket = Path.of(member.endpoint().orElseThrow());
    // The coordinator interrupts a call that takes too long, which closes the channel.
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      PrintWriter out = new PrintWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), true);
      out.println(Wire.text(new Parcel(update.stamp().toString(), update.value())));
      String answer =
          new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)).readLine();
      if (!HOLDS.equals(answer)) {
        throw new IOException(member.id() + " did not say that it holds the value");
      }
    }
  }

  /**
   * Takes deliveries until the thread is interrupted, each on a thread of its own: the coordinator
   * behind a connection may be paused, and is not to hold up the others.
   */
  static void serve(Path socket, Runnable listening, Receiver receiver) throws IOException {
    Files.deleteIfExists(socket); // of the process before, which was killed
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      listening.run();
      while (!Thread.currentThread().isInterrupted()) {
        SocketChannel channel = server.accept();
        Thread thread = new Thread(() -> take(channel, receiver), "waymark-demo-delivery");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private static void take(SocketChannel opened, Receiver receiver) {
    try (SocketChannel channel = opened) {
      receive(channel, receiver);
    } catch (IOException e) {
      System.err.println("a delivery broke off: " + e); // its sender is gone; it comes again
    }
  }

  private static void receive(SocketChannel channel, Receiver receiver) throws IOException {
    String line =
        new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)).readLine();
    if (line == null) {
      return;
    }
    try {
      receiver.receive(Wire.value(line, Parcel.class).update());
    } catch (Exception e) {
      throw new IOException("a value could not be stored", e);
    }
    new PrintWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), true).println(HOLDS);
  }
}
