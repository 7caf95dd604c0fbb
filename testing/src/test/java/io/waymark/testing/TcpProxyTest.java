package io.waymark.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TcpProxyTest {

  private static final int SILENCE_MILLIS = 150;

  private EchoServer server;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    proxy = TcpProxy.to("127.0.0.1", server.port());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void passesBytesBothWaysAndCountsThem() throws IOException {
    try (Socket client = connect()) {
      assertThat(echo(client, "hello")).isEqualTo("hello");

      assertThat(proxy.bytes(Direction.TO_SERVER)).isEqualTo(5);
      assertThat(proxy.bytes(Direction.TO_CLIENT)).isEqualTo(5);
      assertThat(proxy.connectionsOpened()).isEqualTo(1);
      assertThat(proxy.connectionsLive()).isEqualTo(1);
    }
    await().until(() -> proxy.connectionsLive() == 0 && server.open() == 0);
  }

  @Test
  void passesTheEndOfAStreamOnAndTheAnswerBack() throws IOException {
    try (Socket client = connect()) {
      send(client, "last words");
      client.shutdownOutput();

      assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("last words");
    }
  }

  @Test
  void anAnswerIsLaterByTheLatencyOfBothDirections() throws IOException {
    try (Socket client = connect()) {
      echo(client, "warm");
      proxy.latency(Direction.TO_SERVER, Duration.ofMillis(60));
      proxy.latency(Direction.TO_CLIENT, Duration.ofMillis(40));

      assertThat(millis(() -> echo(client, "slow"))).isGreaterThanOrEqualTo(100);

      proxy.latency(Duration.ZERO);
      echo(client, "first one may still be late");
      assertThat(millis(() -> echo(client, "fast"))).isLessThan(60);
    }
  }

  @Test
  void latencyDelaysAStreamAsAWholeAndNotEachPiece() throws IOException {
    proxy.latency(Duration.ofMillis(50));
    byte[] much = new byte[2_000_000];
    try (Socket client = connect()) {
      long millis =
          millis(
              () -> {
                CompletableFuture<Void> sent =
                    CompletableFuture.runAsync(
                        () -> {
                          try {
                            client.getOutputStream().write(much);
                            client.shutdownOutput();
                          } catch (IOException e) {
                            throw new AssertionError(e);
                          }
                        });
                ByteArrayOutputStream received = new ByteArrayOutputStream();
                client.getInputStream().transferTo(received);
                sent.join();
                assertThat(received.size()).isEqualTo(much.length);
              });

      // 31 pieces of 64 KiB: one after the other they would take 3 s.
      assertThat(millis).isBetween(100L, 2_000L);
    }
  }

  @Test
  void aBlackHolePassesNothingUntilItIsResumed() throws IOException {
    try (Socket client = connect()) {
      echo(client, "before");
      proxy.blackHole();
      send(client, "lost?");

      assertSilent(client);
      assertThat(server.received()).isEqualTo(6);

      proxy.resume();
      assertThat(receive(client, 5)).isEqualTo("lost?");
    }
  }

  @Test
  void aBlackHoleAcceptsNewConnectionsAndStaysSilent() throws IOException {
    proxy.blackHole();
    try (Socket client = connect()) {
      send(client, "hello");

      assertSilent(client);
      assertThat(server.open()).isZero();

      proxy.resume();
      assertThat(receive(client, 5)).isEqualTo("hello");
    }
  }

  @Test
  void aBlackHoleTowardsTheClientLosesOnlyAnswers() throws IOException {
    try (Socket client = connect()) {
      proxy.blackHole(Direction.TO_CLIENT);
      send(client, "do it");

      await().until(() -> server.received() == 5);
      assertSilent(client);
    }
  }

  @Test
  void resetAbortsOpenConnectionsOnly() throws IOException {
    try (Socket client = connect()) {
      echo(client, "before");
      proxy.reset();

      assertThatExceptionOfType(SocketException.class)
          .isThrownBy(() -> client.getInputStream().read())
          .withMessageContaining("reset");
    }
    try (Socket client = connect()) {
      assertThat(echo(client, "after")).isEqualTo("after");
    }
  }

  @Test
  void resetReachesConnectionsInABlackHole() throws IOException {
    proxy.blackHole();
    try (Socket client = connect()) {
      await().until(() -> proxy.connectionsLive() == 1);
      proxy.reset();

      assertThatExceptionOfType(SocketException.class)
          .isThrownBy(() -> client.getInputStream().read());
      await().until(() -> proxy.connectionsLive() == 0);
    }
  }

  @Test
  void refusesNewConnectionsAndAcceptsThemAgainOnTheSamePort() throws IOException {
    try (Socket old = connect()) {
      echo(old, "before");
      int port = proxy.port();
      for (int i = 0; i < 20; i++) {
        proxy.refuse();
        proxy.refuse();
        assertThatExceptionOfType(ConnectException.class).isThrownBy(this::connect);
        assertThat(echo(old, "lives on")).isEqualTo("lives on");
        proxy.accept();
        proxy.accept();
        try (Socket client = connect()) {
          assertThat(echo(client, "again")).isEqualTo("again");
        }
      }
      assertThat(proxy.port()).isEqualTo(port);
    }
  }

  @Test
  void cutsAnAnswerAfterSomeBytesOnce() throws IOException {
    proxy.cutAfter(Direction.TO_CLIENT, 3);
    try (Socket client = connect()) {
      send(client, "answer");

      assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("ans");
      assertThat(server.received()).isEqualTo(6);
    }
    try (Socket client = connect()) {
      assertThat(echo(client, "spent")).isEqualTo("spent");
    }
  }

  @Test
  void cutsARequestBeforeTheServerSeesIt() throws IOException {
    try (Socket client = connect()) {
      echo(client, "one");
      proxy.cutAfter(Direction.TO_SERVER, 0);
      send(client, "two");

      // The proxy has not read everything when it closes, or it has: an abort or an end.
      try {
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      } catch (SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
      assertThat(server.received()).isEqualTo(3);
      assertThat(proxy.bytes(Direction.TO_SERVER)).isEqualTo(3);
    }
  }

  @Test
  void aCutThatWasTakenBackDoesNotHappen() throws IOException {
    proxy.cutAfter(Direction.TO_SERVER, 2);
    proxy.cancelCut();
    try (Socket client = connect()) {
      assertThat(echo(client, "whole")).isEqualTo("whole");
    }
  }

  @Test
  void sendsLaterConnectionsToAnotherTarget() throws IOException {
    try (EchoServer other = new EchoServer();
        Socket before = connect()) {
      echo(before, "a");
      proxy.target("127.0.0.1", other.port());
      try (Socket after = connect()) {
        echo(after, "bb");
        echo(before, "a");
      }
      assertThat(server.received()).isEqualTo(2);
      assertThat(other.received()).isEqualTo(2);
    }
  }

  @Test
  void sendsLaterConnectionsToSeveralTargetsInTurn() throws IOException {
    try (EchoServer other = new EchoServer()) {
      proxy.targets("127.0.0.1", server.port(), other.port());
      for (int i = 0; i < 4; i++) {
        try (Socket client = connect()) {
          echo(client, "a");
        }
      }
      assertThat(server.received()).isEqualTo(2);
      assertThat(other.received()).isEqualTo(2);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> proxy.targets("127.0.0.1"));
  }

  @Test
  void aServerThatIsDownLooksLikeAnAbortedConnection() throws IOException {
    server.close();
    try (Socket client = connect()) {
      assertThatExceptionOfType(SocketException.class)
          .isThrownBy(() -> client.getInputStream().read());
    }
  }

  @Test
  void anObserverHasSeenWhatTheOtherSideGot() throws IOException {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    try (TcpProxy watched =
            TcpProxy.builder()
                .target("127.0.0.1", server.port())
                .name("watched")
                .observe(() -> watching(seen::write))
                .start();
        Socket client = new Socket(watched.host(), watched.port())) {
      echo(client, "hello");

      assertThat(seen).hasToString("hello");
    }
  }

  @Test
  void anObserverThatThrowsCutsItsConnection() throws IOException {
    try (TcpProxy watched =
            TcpProxy.builder()
                .target("127.0.0.1", server.port())
                .observe(
                    () ->
                        watching(
                            (buffer, offset, length) -> {
                              throw new IllegalStateException("no");
                            }))
                .start();
        Socket client = new Socket(watched.host(), watched.port())) {
      send(client, "hello");

      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void survivesThousandsOfConnectionsAndLeavesNoThread() throws IOException {
    for (int i = 0; i < 2_000; i++) {
      try (Socket client = connect()) {
        echo(client, "x");
      }
    }
    assertThat(proxy.connectionsOpened()).isEqualTo(2_000);
    await().until(() -> proxy.connectionsLive() == 0);
    assertThat(proxyThreads()).isEqualTo(1);

    proxy.close();

    assertThat(proxyThreads()).isZero();
  }

  @Test
  void closeEndsWhatIsHeldAndWaitsForItsThreads() throws IOException {
    proxy.latency(Duration.ofHours(1));
    try (Socket late = connect();
        Socket held = connect()) {
      send(late, "never");
      await().until(() -> proxy.connectionsOpened() == 2);
      proxy.blackHole();
      send(held, "never");

      proxy.close();
      proxy.close();

      assertThat(proxyThreads()).isZero();
      assertThatExceptionOfType(ConnectException.class).isThrownBy(this::connect);
    }
    assertThatIllegalStateException().isThrownBy(proxy::accept);
  }

  @Test
  void refusesNonsense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy.latency(Duration.ofMillis(-1)))
        .withMessageContaining("negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy.cutAfter(Direction.TO_CLIENT, -1))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpProxy.to("127.0.0.1", 0))
        .withMessage("port must be 1 to 65535, was 0");
    assertThatIllegalStateException().isThrownBy(() -> TcpProxy.builder().start());
  }

  // ---- how the tests talk ----------------------------------------------------------------------

  @FunctionalInterface
  private interface Talk {
    void run() throws IOException;
  }

  @FunctionalInterface
  private interface Sink {
    void write(byte[] buffer, int offset, int length);
  }

  private static ConnectionObserver watching(Sink sink) {
    return new ConnectionObserver() {
      @Override
      public void toServer(byte[] buffer, int offset, int length) {
        sink.write(buffer, offset, length);
      }
    };
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(proxy.host(), proxy.port());
    socket.setSoTimeout(10_000); // a test that waits for what never comes fails
    return socket;
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String receive(Socket client, int length) throws IOException {
    return new String(client.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
  }

  private static String echo(Socket client, String text) throws IOException {
    send(client, text);
    return receive(client, text.length());
  }

  private static void assertSilent(Socket client) throws IOException {
    client.setSoTimeout(SILENCE_MILLIS);
    assertThatExceptionOfType(SocketTimeoutException.class)
        .isThrownBy(() -> client.getInputStream().read());
    client.setSoTimeout(0);
  }

  private static long millis(Talk talk) throws IOException {
    long begun = System.nanoTime();
    talk.run();
    return (System.nanoTime() - begun) / 1_000_000;
  }

  private static long proxyThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("waymark-proxy-"))
        .count();
  }
}
