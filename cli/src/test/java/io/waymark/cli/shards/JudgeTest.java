package io.waymark.cli.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private final Judge judge = new Judge();

  private void believes(int life, String stamp) {
    judge.heard("reader-1", life, new Said.Believes(stamp, "", 1, -1));
  }

  private long regressions() {
    return judge.counts(0, 0).regressionsSeen();
  }

  @Test
  void aReaderThatGoesOnDoesNotGoBack() {
    believes(1, "");
    believes(1, "1.1@a");
    believes(1, "1.1@a");
    believes(1, "1.7@a");
    believes(1, "2.0@a");

    assertThat(regressions()).isZero();
  }

  @Test
  void anOlderSnapshotIsARegression() {
    believes(1, "1.7@a");
    believes(1, "1.6@a");

    assertThat(regressions()).isEqualTo(1);
  }

  @Test
  void soIsOneAfterARestart() {
    believes(1, "1.7@a");
    believes(2, "");
    believes(2, "1.6@a");

    assertThat(regressions()).isEqualTo(1);
  }

  @Test
  void soIsTheSnapshotOfAnotherAuthority() {
    believes(1, "1.7@a");
    believes(1, "1.8@b");

    assertThat(regressions()).isEqualTo(1);
  }

  @Test
  void soIsAGroupThatVanishes() {
    believes(1, "1.7@a");
    believes(1, "");

    assertThat(regressions()).isEqualTo(1);
  }

  @Test
  void anAcknowledgedUpdateThatIsNotInTheEndIsLost() {
    judge.heard("coordinator-1", 1, acknowledged(judge.updates().next()));
    judge.updates().next(); // never answered
    judge.heard("coordinator-1", 1, acknowledged(judge.updates().next()));

    assertThat(judge.updates().lost(Numbers.parse("1-3"))).isEmpty();
    assertThat(judge.updates().lost(Numbers.parse("1,3"))).isEmpty();
    assertThat(judge.updates().lost(Numbers.parse("1-2"))).isEqualTo(List.of(3L));
  }

  private static Said acknowledged(long number) {
    return new Said.Acknowledged(number, "1.1@a", "", Limits.NONE);
  }

  @Test
  void aMemberTellsWhatItsOwnDiskSays() {
    judge.heard("member-1", 1, new Said.Holds("1.3@a", 3, 100, 5, 3, 0));
    judge.heard("member-1", 2, new Said.Holds("1.3@a", 3, 100, 6, 3, 1));

    assertThat(judge.counts(0, 0).deliveries()).isEqualTo(6);
    assertThat(judge.counts(0, 0).staleDeliveriesApplied()).isEqualTo(1);
  }

  @Test
  void readsOfAllLivesCount() {
    judge.heard("reader-1", 1, new Said.Believes("1.1@a", "", 10, -1));
    judge.heard("reader-1", 1, new Said.Believes("1.1@a", "", 30, -1));
    judge.heard("reader-1", 2, new Said.Believes("1.1@a", "", 5, -1));

    assertThat(judge.counts(0, 0).reads()).isEqualTo(35);
  }
}
