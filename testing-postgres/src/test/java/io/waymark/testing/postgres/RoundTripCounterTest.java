package io.waymark.testing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.testing.ConnectionObserver;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class RoundTripCounterTest {

  private static final int START = 3 << 16;
  private static final int ENCRYPTION_REQUEST = 80877103;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final RoundTripCounter counter = new RoundTripCounter();

  @Test
  void countsWhatTheServerAnswersWithReady() throws IOException {
    untyped(ENCRYPTION_REQUEST, 0);
    untyped(START, 40);
    typed('p', 12); // a password
    typed('Q', 9);
    typed('P', 30);
    typed('B', 20);
    typed('D', 6);
    typed('E', 9);
    typed('S', 0);
    typed('F', 14);
    typed('H', 0);
    typed('X', 0);

    feed(bytes.size());

    assertThat(counter.requests()).isEqualTo(3);
  }

  @Test
  void aCancellationIsNoRoundTrip() throws IOException {
    untyped(80877102, 8);

    feed(1);

    assertThat(counter.requests()).isZero();
  }

  @Test
  void bytesOfAMessageAreNotTakenForMessages() throws IOException {
    untyped(START, 10);
    typed('d', "QQSSQQSSFF".repeat(20_000).length());
    typed('S', 0);

    feed(8_192);

    assertThat(counter.requests()).isEqualTo(1);
  }

  @RepeatedTest(20)
  @ExtendWith(SeededRandomExtension.class)
  void countsTheSameHoweverTheBytesArrive(SeededRandom random) throws IOException {
    untyped(ENCRYPTION_REQUEST, 0);
    untyped(START, random.nextInt(100));
    int expected = 0;
    for (int i = 0; i < 200; i++) {
      char type = "QSFPBDEHCdcfpX".charAt(random.nextInt(14));
      typed(type, random.nextInt(50));
      expected += "QSF".indexOf(type) >= 0 ? 1 : 0;
    }
    ConnectionObserver connection = counter.connection();
    byte[] all = bytes.toByteArray();
    for (int at = 0; at < all.length; ) {
      int length = Math.min(all.length - at, random.nextInt(1, 40));
      connection.toServer(all, at, length);
      at += length;
    }

    assertThat(counter.requests()).as("%s", random).isEqualTo(expected);
  }

  @Test
  void requestsThatAreSentTogetherAreOneRoundTrip() throws IOException {
    ConnectionObserver connection = counter.connection();
    untyped(ENCRYPTION_REQUEST, 0);
    toServer(connection);
    connection.toClient(new byte[] {'N'}, 0, 1);
    untyped(START, 10);
    toServer(connection);
    typed('R', 4);
    typed('Z', 1);
    toClient(connection);

    typed('Q', 6); // BEGIN
    typed('P', 9);
    typed('S', 0);
    toServer(connection);
    typed('C', 6);
    typed('Z', 1);
    typed('D', 90);
    typed('Z', 1);
    toClient(connection);
    typed('S', 0);
    toServer(connection);

    assertThat(counter.requests()).isEqualTo(3);
    assertThat(counter.roundTrips()).isEqualTo(2);
  }

  private void toServer(ConnectionObserver connection) {
    connection.toServer(bytes.toByteArray(), 0, bytes.size());
    bytes.reset();
  }

  private void toClient(ConnectionObserver connection) {
    connection.toClient(bytes.toByteArray(), 0, bytes.size());
    bytes.reset();
  }

  private void untyped(int code, int payload) throws IOException {
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(8 + payload);
    out.writeInt(code);
    payload(out, payload);
  }

  private void typed(char type, int payload) throws IOException {
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(type);
    out.writeInt(4 + payload);
    payload(out, payload);
  }

  private static void payload(DataOutputStream out, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      out.writeByte("QSF".charAt(i % 3));
    }
  }

  private void feed(int piece) {
    ConnectionObserver connection = counter.connection();
    byte[] all = bytes.toByteArray();
    for (int at = 0; at < all.length; at += piece) {
      connection.toServer(all, at, Math.min(piece, all.length - at));
    }
  }
}
