package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import io.waymark.testing.SettableTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandomExtension.class)
class WatermarkTest {
  private static final History HISTORY = new History(Views.FIRST, 1);

  private final List<Token> lost = new ArrayList<>();
  private final Watermark watermark = new Watermark(lost::add);
  private final ReplicaSetView nothing =
      ReplicaSetView.of(Views.endpoints(Views.builder(1, new SettableTicker()).config()));

  private ReplicaSetView primaryAt(int timeline, long insert, long reading) {
    return with(Views.primary(Views.FIRST, timeline, insert, reading));
  }

  private ReplicaSetView with(Sighting primary) {
    return nothing.with(nothing.primary().endpoint(), primary);
  }

  private void committed(long lsn, long xid) {
    watermark.committed(new Token(HISTORY, lsn, xid), watermark.token());
  }

  @Test
  void aSessionThatWroteNothingDemandsNothing() {
    assertThat(watermark.floor(nothing, 5))
        .returns(null, Floor::token)
        .returns(true, Floor::resolved);
  }

  @Test
  void aCommitIsDemandedAtOnce() {
    committed(100, 7);

    assertThat(watermark.floor(primaryAt(1, 500, 1), 1))
        .returns(new Token(HISTORY, 100, 7), Floor::token)
        .returns(true, Floor::resolved);
  }

  @Test
  void theLaterCommitSpeaksForAllWhereNothingCameInBetween() {
    committed(100, 7);
    committed(90, 8);

    assertThat(watermark.token()).isEqualTo(new Token(HISTORY, 100, 8));
  }

  @Test
  void noTransactionSpeaksForTwoThatOverlapped() {
    Token before = watermark.token();
    watermark.committed(new Token(HISTORY, 100, 7), before);
    watermark.committed(new Token(HISTORY, 90, 8), before);

    assertThat(watermark.token()).isEqualTo(new Token(HISTORY, 100, Token.NO_XID));
  }

  @Test
  void aDirtySessionIsResolvedOnlyByAReadingThatStartedLater() {
    watermark.dirty(4);

    assertThat(watermark.floor(nothing, 9).resolved()).isFalse();
    assertThat(watermark.floor(primaryAt(1, 500, 3), 9).resolved()).isFalse();
    assertThat(watermark.floor(primaryAt(1, 500, 4), 9).resolved()).isFalse();
    assertThat(watermark.floor(primaryAt(1, 500, 5), 9))
        .returns(new Token(HISTORY, 500, Token.NO_XID, 5), Floor::token)
        .returns(true, Floor::resolved);
    assertThat(watermark.floor(nothing, 9))
        .as("remembered")
        .returns(new Token(HISTORY, 500, Token.NO_XID, 5), Floor::token)
        .returns(true, Floor::resolved);
  }

  @Test
  void anOlderWriteDoesNotUndoALaterOne() {
    watermark.dirty(6);
    watermark.dirty(4);

    assertThat(watermark.floor(primaryAt(1, 500, 6), 9).resolved()).isFalse();
  }

  @Test
  void aCommitDoesNotResolveAnEarlierWriteWhosePlaceIsUnknown() {
    watermark.dirty(4);
    committed(100, 7);

    assertThat(watermark.floor(primaryAt(1, 500, 4), 9).resolved()).isFalse();
  }

  @Test
  void aReadingWithoutAPositionResolvesNothing() {
    watermark.dirty(4);

    assertThat(watermark.floor(primaryAt(1, Lsn.NONE, 5), 9).resolved()).isFalse();
    assertThat(watermark.floor(primaryAt(0, 500, 5), 9).resolved()).isFalse();
    assertThat(watermark.floor(with(Views.standby(Views.FIRST, 1, 500, Set.of(), 5)), 9).resolved())
        .isFalse();
  }

  @Test
  void whileAConnectionIsUnwatchedEveryReadNeedsItsOwnReading() {
    watermark.unwatched();

    assertThat(watermark.floor(primaryAt(1, 500, 5), 5).resolved()).isFalse();
    assertThat(watermark.floor(primaryAt(1, 500, 6), 5).resolved()).isTrue();
    assertThat(watermark.floor(primaryAt(1, 500, 6), 6).resolved()).isFalse();

    watermark.watchedAgain(7);

    assertThat(watermark.floor(primaryAt(1, 500, 7), 0).resolved()).isFalse();
    assertThat(watermark.floor(primaryAt(1, 600, 8), 9).resolved()).isTrue();
    assertThat(watermark.floor(primaryAt(1, 600, 8), 9).resolved()).isTrue();
  }

  @Test
  void whatANewerTimelineKeptIsStillDemandedAndWhatItLostIsNot() {
    committed(100, 7);

    assertThat(watermark.floor(with(Views.promoted(Views.SECOND, 2, 150, 500, 5)), 9).token())
        .isEqualTo(new Token(HISTORY, 100, 7));
    assertThat(watermark.floor(with(Views.promoted(Views.SECOND, 2, 90, 500, 5)), 9))
        .returns(null, Floor::token)
        .returns(true, Floor::resolved);
    assertThat(watermark.token()).isNull();
    assertThat(lost).containsExactly(new Token(HISTORY, 100, 7));
  }

  @Test
  void anUnknownForkKeepsTheDemand() {
    committed(100, 7);

    assertThat(watermark.floor(with(Views.promoted(Views.SECOND, 2, Lsn.NONE, 500, 5)), 9).token())
        .isEqualTo(new Token(HISTORY, 100, 7));
  }

  @Test
  void anotherServerOfTheSameTimelineIsAnotherHistory() {
    committed(100, 7);

    assertThat(watermark.floor(with(Views.primary(Views.SECOND, 1, 500, 5)), 9))
        .returns(null, Floor::token)
        .returns(true, Floor::resolved);
  }

  @Test
  void aRestartIsNoOtherHistory() {
    committed(100, 7);
    ServerInstance restarted = new ServerInstance(7, 999, "10.0.0.1", 5432);

    assertThat(watermark.floor(with(Views.primary(restarted, 1, 500, 5)), 9).token())
        .isEqualTo(new Token(HISTORY, 100, 7));
  }

  private static Sighting recovered(long end, long insert, long reading) {
    return recovered(Views.FIRST, end, insert, reading);
  }

  private static Sighting recovered(ServerInstance server, long end, long insert, long reading) {
    return new Sighting(
        server, 180_000, false, 1, insert, insert, end, Lsn.NONE, null, false, 0, Set.of(), reading,
        0, 1_000_000);
  }

  private ReplicaSetView crashed(long end, long lastBefore, long firstAfter) {
    Endpoint primary = nothing.primary().endpoint();
    return primaryAt(1, 500, lastBefore).with(primary, recovered(end, end + 10, firstAfter));
  }

  @Test
  void afterACrashOnlyWhatSurvivedIsDemanded() {
    watermark.committed(new Token(HISTORY, 400, 7, 3), null);
    ReplicaSetView view = crashed(300, 4, 6);

    assertThat(watermark.floor(view, 9).token())
        .isEqualTo(new Token(HISTORY, 300, Token.NO_XID, 3));
    assertThat(watermark.token()).as("remembered").isEqualTo(watermark.floor(view, 9).token());
  }

  @Test
  void whatSurvivedACrashIsDemandedAsBefore() {
    Token token = new Token(HISTORY, 300, 7, 3);
    watermark.committed(token, null);

    assertThat(watermark.floor(crashed(300, 4, 6), 9).token()).isEqualTo(token);
  }

  @Test
  void aCrashOfThePastDoesNotConcernALaterWrite() {
    Token token = new Token(HISTORY, 400, 7, 5);
    watermark.committed(token, null);

    assertThat(watermark.floor(crashed(300, 4, 6), 9).token()).isEqualTo(token);
    Token merged = new Token(HISTORY, 350, 6, 3).merge(token);
    assertThat(crashed(300, 4, 6).surviving(merged)).isEqualTo(merged);
  }

  @Test
  void aTokenOfTheInstanceThatCrashedIsOfBeforeWhateverItsReading() {
    ServerInstance restarted = new ServerInstance(7, 999, "10.0.0.1", 5432);
    Endpoint primary = nothing.primary().endpoint();
    ReplicaSetView crashed = primaryAt(1, 500, 4).with(primary, recovered(restarted, 300, 310, 6));
    Token before = new Token(HISTORY, 400, 7, 5);
    Token after = new Token(new History(restarted, 1), 305, 8, 5);

    assertThat(crashed.surviving(before).lsn()).isEqualTo(300);
    assertThat(crashed.surviving(after)).isEqualTo(after);
    assertThat(crashed.surviving(before.merge(after)).lsn()).isEqualTo(400);
    assertThat(crashed.surviving(after.merge(before)).lsn()).isEqualTo(400);
  }

  @Test
  void aWriteWhosePlaceIsUnknownIsResolvedAfterTheCrash() {
    watermark.committed(new Token(HISTORY, 400, 7, 3), null);
    watermark.dirty(4);

    assertThat(watermark.floor(crashed(300, 4, 6), 9))
        .returns(new Token(HISTORY, 310, Token.NO_XID, 6), Floor::token)
        .returns(true, Floor::resolved);
  }

  @Test
  void neitherARestartInOrderNorTheSamePositionIsACrash() {
    Token token = new Token(HISTORY, 400, 7, 3);
    Endpoint primary = nothing.primary().endpoint();
    ReplicaSetView restarted = primaryAt(1, 500, 4).with(primary, recovered(Lsn.NONE, 500, 6));
    ReplicaSetView again = with(recovered(300, 500, 4)).with(primary, recovered(300, 500, 6));

    assertThat(restarted.surviving(token)).isEqualTo(token);
    assertThat(again.surviving(token)).isEqualTo(token);
  }

  @Test
  void tokensOfOneHistoryMergeToTheLargerAndAnotherHistoryReplaces() {
    Token low = new Token(HISTORY, 100, 7);
    Token high = new Token(HISTORY, 200, 8);
    Token other = new Token(new History(Views.SECOND, 2), 50, 9);

    assertThat(low.merge(high)).isEqualTo(new Token(HISTORY, 200, Token.NO_XID));
    assertThat(high.merge(low)).isEqualTo(new Token(HISTORY, 200, Token.NO_XID));
    assertThat(low.merge(low)).isEqualTo(low);
    assertThat(high.merge(other)).isEqualTo(other);
  }

  @Test
  void theDemandNeverFallsBehindWhatWasCommittedInOneHistory(SeededRandom random) {
    long highest = 0;
    long reading = 0;
    long unresolved = -1;
    for (int i = 0; i < 5_000; i++) {
      switch (random.nextInt(4)) {
        case 0 -> {
          long lsn = 1L + random.nextInt(1_000_000);
          committed(lsn, i + 1L);
          highest = Math.max(highest, lsn);
        }
        case 1 -> {
          watermark.dirty(reading);
          unresolved = reading;
        }
        case 2 -> reading++;
        default -> {
          long insert = highest + random.nextInt(100);
          Floor floor = watermark.floor(primaryAt(1, insert, reading), reading);
          if (unresolved >= 0 && reading <= unresolved) {
            assertThat(floor.resolved()).as("%s", random).isFalse();
          } else if (unresolved >= 0) {
            assertThat(floor.resolved()).isTrue();
            highest = Math.max(highest, insert);
            unresolved = -1;
          }
          if (highest > 0) {
            assertThat(Objects.requireNonNull(floor.token()).lsn())
                .as("%s", random)
                .isGreaterThanOrEqualTo(highest);
          }
        }
      }
    }
  }
}
