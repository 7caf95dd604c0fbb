package io.waymark.bench.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.waymark.testing.FreePort;
import java.io.IOException;
import java.util.List;

/** One etcd that does not flush, as the other servers do not. */
final class EtcdServer {
  private EtcdServer() {}

  static Server start() throws IOException {
    String program = Server.program("etcd", "etcd-server");
    try (FreePort peers = FreePort.find()) {
      String peerUrl = "http://127.0.0.1:" + peers.number();
      peers.release();
      return Server.start(
          (folder, port) ->
              List.of(
                  program,
                  "--name=one",
                  "--data-dir=" + folder.resolve("data"),
                  "--unsafe-no-fsync",
                  "--listen-client-urls=http://127.0.0.1:" + port,
                  "--advertise-client-urls=http://127.0.0.1:" + port,
                  "--listen-peer-urls=" + peerUrl,
                  "--initial-advertise-peer-urls=" + peerUrl,
                  "--initial-cluster=one=" + peerUrl));
    }
  }

  static Client client(Server server) {
    return Client.builder().endpoints("http://127.0.0.1:" + server.port()).build();
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }
}
