package io.waymark.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class FreePortTest {

  @Test
  void aHeldPortRefusesConnectionsAndNobodyElseGetsIt() {
    try (FreePort port = FreePort.find()) {
      assertThat(port.isHeld()).isTrue();
      assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(port));
      assertThatExceptionOfType(BindException.class).isThrownBy(() -> listen(port));
    }
  }

  @Test
  void aServerGetsTheReleasedPortAndItCanBeHeldAgain() throws IOException {
    try (FreePort port = FreePort.find()) {
      port.release();
      try (ServerSocket server = listen(port);
          Socket client = connect(port);
          Socket accepted = server.accept()) {
        assertThat(client.getPort()).isEqualTo(port.number());
        assertThat(accepted.isConnected()).isTrue();
        // The server's end is closed first, so that its ended connection lingers on the port.
      }
      port.hold();
      port.hold();

      assertThat(port.isHeld()).isTrue();
      assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(port));
    }
  }

  private static Socket connect(FreePort port) throws IOException {
    Socket socket = new Socket();
    socket.connect(FreePort.loopback(port.number()));
    return socket;
  }

  private static ServerSocket listen(FreePort port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(FreePort.loopback(port.number()));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }
}
