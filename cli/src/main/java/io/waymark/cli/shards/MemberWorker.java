package io.waymark.cli.shards;

import io.waymark.cli.processes.Wire;
import io.waymark.topology.StateUpdate;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
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
      MemberSocket.serve(place.socket(name), member::receive);
      member.tell();
      Wire.say(out, Said.class, new Said.Ready());
      Wire.orders(Order.class, order -> member.tell());
    }
  }

  private void receive(StateUpdate<Limits> update) throws SQLException {
    storing.lock();
    try {
      Wire.say(out, Said.class, memory.receive(update));
    } finally {
      storing.unlock();
    }
  }

  private void tell() {
    storing.lock();
    try {
      Wire.say(out, Said.class, memory.holds());
    } catch (SQLException e) {
      throw new UncheckedIOException(new IOException(e));
    } finally {
      storing.unlock();
    }
  }
}
