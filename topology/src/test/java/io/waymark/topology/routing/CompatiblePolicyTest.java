package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.LoadSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published design, table by table. */
class CompatiblePolicyTest {
  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final ScriptedRandom random = new ScriptedRandom();
  private final ShardPicker picker = builder().numbered();

  private ShardPickerBuilder builder() {
    return ShardPicker.builder()
        .policy(RoutingPolicy.COMPATIBLE)
        .random(random)
        .clock(() -> Instant.ofEpochMilli(millis.get()));
  }

  /** A pick of which both candidates are this shard, at the width that is. */
  private void answers(int shard, LoadSnapshot load) {
    double fraction = (shard + 0.5) / picker.width();
    random.next(fraction, fraction);
    Pick pick = picker.pick();
    assertThat(pick.shard()).isEqualTo("shard-" + shard);
    pick.answered(load);
  }

  private Loads now(long pending) {
    return Loads.pending(pending).at(millis.get());
  }

  private void widenToTwo() {
    answers(0, now(1001).snapshot());
    assertThat(picker.width()).isEqualTo(2);
  }

  private String pickOfFirstAndSecond() {
    random.next(0.25, 0.75);
    Pick pick = picker.pick();
    pick.abandoned();
    return pick.shard();
  }

  @Test
  void itStartsWithOneShard() {
    random.next(0.999, 0.999);

    assertThat(picker.pick().shard()).isEqualTo("shard-0");
    assertThat(picker.width()).isEqualTo(1);
  }

  @Test
  void ofTwoThatAreNotKnownTheFirstServes() {
    widenToTwo();
    millis.addAndGet(60_000);

    assertThat(pickOfFirstAndSecond()).isEqualTo("shard-0");
  }

  @Test
  void oneThatIsNotKnownWinsAgainstOneThatIs() {
    widenToTwo();

    assertThat(pickOfFirstAndSecond()).isEqualTo("shard-1");
    random.next(0.75, 0.25);
    assertThat(picker.pick().shard()).isEqualTo("shard-1");
  }

  @ParameterizedTest(name = "{0} against {1}: {2}")
  @CsvSource({
    // pending/inbound in flight x average/outbound in flight x average
    "5,             4,             shard-1",
    "4,             5,             shard-0",
    "5/2x10,        5/1x19,        shard-1",
    "5/1x20,        5/2x10,        shard-0",
    "5/500,         5/1x1,         shard-0", // an average that is not known counts as zero
    "5/1x1,         5/500,         shard-1",
    "5/1x10/1x10,   5/1x19/0x0,    shard-1",
    "5/0x0/2x10,    5/1x10/1x10,   shard-0",
    "4/9x900,       5/0x0,         shard-0", // the backlog comes before everything
    "5,             5,             shard-0",
  })
  void theTwoAreComparedInThisOrder(String first, String second, String better) {
    widenToTwo();
    answers(0, load(first));
    answers(1, load(second));

    assertThat(pickOfFirstAndSecond()).isEqualTo(better);
  }

  private LoadSnapshot load(String text) {
    String[] parts = text.split("/", -1);
    Loads load = now(Long.parseLong(parts[0]));
    if (parts.length > 1) {
      String[] in = parts[1].split("x", -1);
      load =
          in.length == 1
              ? load.inbound(Integer.parseInt(in[0]))
              : load.inbound(Integer.parseInt(in[0]), Double.parseDouble(in[1]));
    }
    if (parts.length > 2) {
      String[] out = parts[2].split("x", -1);
      load = load.outbound(Integer.parseInt(out[0]), Double.parseDouble(out[1]));
    }
    return load.snapshot();
  }

  @Test
  void theTwoCandidatesMayBeTheSame() {
    widenToTwo();
    answers(1, now(5000).snapshot());
    random.next(0.75, 0.75);

    assertThat(picker.pick().shard()).as("half of all picks at width 2").isEqualTo("shard-1");
  }

  /** One step of the timeline: when, what the answering shard says, the width afterwards. */
  private record Step(long at, long pending, int inFlight, int width) {}

  @Test
  void theWidthFollowsThisTimeline() {
    List<Step> timeline =
        List.of(
            new Step(0, 1000, 0, 1), // not above the limit
            new Step(1, 1001, 0, 2),
            new Step(500, 5000, 0, 2),
            new Step(1000, 5000, 0, 2), // 999 ms after the last change
            new Step(1001, 5000, 0, 3),
            new Step(61_000, 249, 0, 3), // 59,999 ms
            new Step(61_001, 250, 0, 3), // not below a quarter of the limit
            new Step(61_002, 249, 1, 3), // something is in flight
            new Step(61_004, 249, 0, 2),
            new Step(61_005, 0, 0, 2),
            new Step(121_004, 0, 0, 1),
            new Step(300_000, 0, 0, 1));
    long start = millis.get();

    for (Step step : timeline) {
      millis.set(start + step.at);
      answers(0, now(step.pending).inbound(step.inFlight).snapshot());
      assertThat(picker.width()).as("%s", step).isEqualTo(step.width);
    }
  }

  @Test
  void whatIsInFlightOutwardsKeepsTheWidthToo() {
    widenToTwo();
    millis.addAndGet(60_000);

    answers(0, now(0).outbound(1, 1).snapshot());

    assertThat(picker.width()).isEqualTo(2);
  }

  @Test
  void aLoadThatIsAsOldAsItsWindowMovesNothing() {
    answers(0, now(1001).at(millis.get() - 60_000).snapshot());
    assertThat(picker.width()).isEqualTo(1);

    answers(0, now(1001).at(millis.get() - 59_999).snapshot());
    assertThat(picker.width()).isEqualTo(2);
  }

  @Test
  void observationsAreGoneExactlyAWindowLater() {
    answers(0, now(7).snapshot());

    millis.addAndGet(59_999);
    assertThat(picker.observations()).containsOnlyKeys("shard-0");
    millis.addAndGet(1);
    assertThat(picker.observations()).isEmpty();
  }

  @Test
  void anOlderLoadThatArrivesLateIsNotKept() {
    answers(0, now(7).snapshot());

    answers(0, now(9).at(millis.get() - 1).snapshot());
    assertThat(picker.observations().get("shard-0")).extracting("pendingDeliveries").isEqualTo(7L);

    answers(0, now(8).snapshot());
    assertThat(picker.observations().get("shard-0")).extracting("pendingDeliveries").isEqualTo(8L);
  }

  @Test
  void aFailureChangesNothing() {
    answers(0, now(7).snapshot());
    random.next(0, 0);

    picker.pick().failed();

    assertThat(picker.observations()).containsOnlyKeys("shard-0");
    assertThat(picker.width()).isEqualTo(1);
  }

  @Test
  void membersAreDrawnInsteadOfNumbersAndNoWidthMoves() {
    ShardPicker members =
        builder().members(List.of(ShardMember.of("a"), ShardMember.of("b"), ShardMember.of("c")));
    random.next(0.99, 0.99);

    Pick pick = members.pick();
    pick.answered(now(5000).snapshot());

    assertThat(pick.shard()).isEqualTo("c");
    assertThat(members.width()).isEqualTo(3);
    random.next(0.99, 0.5);
    assertThat(members.pick().shard()).isEqualTo("b");
  }

  @Test
  void whatComesAfterTheEndOfAPickIsIgnored() {
    random.next(0, 0);
    Pick pick = picker.pick();
    pick.failed();

    pick.answered(now(1001).snapshot());

    assertThat(picker.observations()).isEmpty();
    assertThat(picker.width()).isEqualTo(1);
  }

  @Test
  void aPreviewNamesWhoWouldWinAndDrawsNothing() {
    widenToTwo();
    assertThat(picker.inspect())
        .hasToString("write -> shard-1 (auto:shard-1) [shard-0: backlog 1001]");
    answers(1, now(2000).snapshot());

    assertThat(picker.inspect())
        .hasToString("write -> shard-0 (auto:shard-0) [shard-1: backlog 2000]");
  }
}
