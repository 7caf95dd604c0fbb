package io.waymark.postgres;

import static io.waymark.postgres.AddressCheck.Finding.MOVED;
import static io.waymark.postgres.AddressCheck.Finding.ONE;
import static io.waymark.postgres.AddressCheck.Finding.SAME;
import static io.waymark.postgres.AddressCheck.Finding.SEVERAL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a URL is said to lead to several servers. */
class AddressCheckTest {
  private static final ServerInstance A = new ServerInstance(7, 100, "10.0.0.1", 5432);
  private static final ServerInstance B = new ServerInstance(7, 200, "10.0.0.2", 5432);
  private static final ServerInstance C = new ServerInstance(7, 300, "10.0.0.3", 5432);

  private final AddressCheck check = new AddressCheck();

  private AddressCheck.Finding reached(ServerInstance server) {
    return check.reached(server, check.mark());
  }

  private AddressCheck.Finding looked(ServerInstance server) {
    return check.looked(server, check.mark());
  }

  private void lookAt(ServerInstance server, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(looked(server)).isEqualTo(SAME);
    }
  }

  @Test
  void oneServerIsOneHoweverOftenItRestartsAndWhateverItsAddress() {
    assertThat(reached(A)).isEqualTo(SAME);
    assertThat(reached(new ServerInstance(7, 150, "10.0.0.1", 5432))).isEqualTo(SAME);
    assertThat(reached(new ServerInstance(7, 150, "192.168.0.1", 5432))).isEqualTo(SAME);
    assertThat(looked(new ServerInstance(7, 180, "192.168.0.1", 5432))).isEqualTo(SAME);
    assertThat(check.several()).isFalse();
  }

  @Test
  void anAddressThatMovesOnceHasMoved() {
    reached(A);

    assertThat(reached(B)).isEqualTo(MOVED);
    assertThat(reached(B)).isEqualTo(SAME);
    assertThat(check.several()).isFalse();
  }

  @Test
  void oneThatMovesBackOrOnLeadsToSeveral() {
    reached(A);
    reached(B);
    assertThat(reached(A)).isEqualTo(SEVERAL);
    assertThat(check.several()).isTrue();
    assertThat(reached(B)).as("told once").isEqualTo(SAME);

    AddressCheck other = new AddressCheck();
    other.reached(A, other.mark());
    other.looked(B, other.mark());
    assertThat(other.looked(C, other.mark())).isEqualTo(SEVERAL);
  }

  @Test
  void oneThatMovesBackMuchLaterHasMovedAgain() {
    reached(A);
    reached(B);
    lookAt(B, AddressCheck.LOOKS);

    assertThat(reached(A)).isEqualTo(MOVED);
  }

  @Test
  void itHealsWhenEnoughLooksInARowAgree() {
    reached(A);
    reached(B);
    reached(A);
    lookAt(A, AddressCheck.LOOKS - 1);
    assertThat(reached(A)).as("a call's connection is no look").isEqualTo(SAME);
    reached(B);
    lookAt(B, AddressCheck.LOOKS - 1);
    assertThat(check.several()).isTrue();

    assertThat(looked(B)).isEqualTo(ONE);
    assertThat(check.several()).isFalse();
  }

  @Test
  void twoServersOfOneAddressAreToldApartByWhichStartedFirst() {
    ServerInstance later = new ServerInstance(7, 500, "10.0.0.1", 5432);
    reached(A);
    assertThat(reached(later)).as("a restart").isEqualTo(SAME);
    assertThat(reached(A)).as("no restart leads back").isEqualTo(MOVED);
  }

  @Test
  void whatWasOpenedWhileTheAddressMovedSaysNothing() {
    reached(A);
    int mark = check.mark();
    reached(B);

    assertThat(check.reached(A, mark)).isEqualTo(SAME);
    assertThat(check.several()).isFalse();
    assertThat(check.looked(A, mark)).isEqualTo(SAME);
    assertThat(check.several()).isFalse();
  }
}
