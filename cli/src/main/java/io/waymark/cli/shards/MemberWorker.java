package io.waymark.cli.shards;

import io.waymark.topology.StateUpdate;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** A member: holds the newest limits that it was delivered, on disk. */
final class MemberWorker {
  private final PrintStream out;
  private final Memory memory;
  private final ReentrantLock storing = new ReentrantLock();

  private MemberWorker(PrintStream out, Memory memory) {
    this.out = out;
    this.memory = memory;
  }

  static void work(Place place, String name, PrintStream out)
      throws IOException, SQLException, InterruptedException {
    try (Memory memory = Memory.open(place.memory(name))) {
      MemberWorker member = new MemberWorker(out, memory);
      CountDownLatch listening = new CountDownLatch(1);
      Thread thread =
          new Thread(() -> member.serve(place, name, listening), "waymark-demo-deliveries");
      thread.setDaemon(true);
      thread.start();
      listening.await();
      member.tell();
      Wire.say(out, new Said.Ready());
      Wire.orders(order -> member.tell());
    }
  }

  private void serve(Place place, String name, CountDownLatch listening) {
    try {
      MemberSocket.serve(place.socket(name), listening::countDown, this::receive);
    } catch (IOException e) {
      System.err.println(name + " cannot be reached: " + e);
      Runtime.getRuntime().halt(1); // a member that nobody can reach is of no use
    }
  }

  private void receive(StateUpdate<Limits> update) throws SQLException {
    storing.lock();
    try {
      Wire.say(out, memory.receive(update));
    } finally {
      storing.unlock();
    }
  }

  private void tell() {
    storing.lock();
    try {
      Wire.say(out, memory.holds());
    } catch (SQLException e) {
      throw new UncheckedIOException(new IOException(e));
    } finally {
      storing.unlock();
    }
  }
}
