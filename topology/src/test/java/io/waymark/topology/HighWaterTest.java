package io.waymark.topology;

import static io.waymark.topology.HighWater.Verdict.NEWER;
import static io.waymark.topology.HighWater.Verdict.OLDER;
import static io.waymark.topology.HighWater.Verdict.SAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.testing.SeededRandom;
import io.waymark.topology.HighWater.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighWaterTest {
  @ParameterizedTest
  @CsvSource({
    // what was seen, in order; what comes; the verdict
    "'', 1.1@a, NEWER",
    "1.5@a, 1.5@a, SAME",
    "1.5@a, 1.6@a, NEWER",
    "1.5@a, 1.4@a, OLDER",
    "1.5@a, 2.1@a, NEWER",
    // another authority is different, whatever its numbers
    "9.9@a, 0.1@b, NEWER",
    // one that was left comes back only with a higher epoch
    "1.5@a 1.1@b, 1.5@a, OLDER",
    "1.5@a 1.1@b, 1.6@a, OLDER",
    "1.5@a 1.1@b, 2.1@a, NEWER",
    "1.5@a 1.1@b 2.1@a, 1.9@b, OLDER",
    // an authority that was left longest ago is forgotten
    "1.1@a 1.1@b 1.1@c 1.1@d 1.1@e, 1.1@b, OLDER",
    "1.1@a 1.1@b 1.1@c 1.1@d 1.1@e, 1.1@a, NEWER",
  })
  void judges(String seen, String comes, Verdict verdict) {
    HighWater water = HighWater.NONE;
    for (String text : seen.isEmpty() ? new String[0] : seen.split(" ")) {
      water = water.with(Stamp.parse(text));
    }

    assertThat(water.judge(Stamp.parse(comes))).isEqualTo(verdict);
  }

  @Test
  void neverTakesWithinOneAuthorityWhatIsNotNewerThanAllItTookOfIt() {
    SeededRandom random = SeededRandom.create();
    HighWater water = HighWater.NONE;
    Map<String, Stamp> highest = new HashMap<>();
    List<String> authorities = List.of("a", "b", "c");
    for (int i = 0; i < 10_000; i++) {
      Stamp stamp =
          new Stamp(
              authorities.get(random.nextInt(3)), random.nextInt(1 + i / 200), random.nextInt(20));
      Verdict verdict = water.judge(stamp);
      Stamp before = highest.get(stamp.authority());
      if (verdict == NEWER && before != null) {
        assertThat(stamp.isNewerThan(before)).as("%s", random).isTrue();
      }
      water = water.with(stamp);
      if (verdict == NEWER) {
        highest.put(stamp.authority(), stamp);
        assertThat(water.judge(stamp)).as("%s", random).isEqualTo(SAME);
      } else {
        assertThat(verdict).as("%s", random).isIn(SAME, OLDER);
      }
    }
  }
}
