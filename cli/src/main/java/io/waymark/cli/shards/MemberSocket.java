package io.waymark.cli.shards;

import io.waymark.cli.processes.LineSocket;
import io.waymark.cli.processes.Wire;
import io.waymark.topology.Member;
import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;
import java.io.IOException;
import java.nio.file.Path;

/** How a value comes to a member: a call for each. */
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
    String line = Wire.text(new Parcel(update.stamp().toString(), update.value()));
    if (!HOLDS.equals(LineSocket.call(socket, line))) {
      throw new IOException(member.id() + " did not say that it holds the value");
    }
  }

  /** Takes deliveries from now on. */
  static void serve(Path socket, Receiver receiver) throws InterruptedException {
    LineSocket.serveInBackground(
        socket,
        line -> {
          receiver.receive(Wire.value(line, Parcel.class).update());
          return HOLDS;
        });
  }
}
