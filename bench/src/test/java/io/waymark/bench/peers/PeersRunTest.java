package io.waymark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/** A real run that is too short to tell anything but that it works. */
class PeersRunTest {
  private static final List<Contender> TWO = List.of(Contender.WAYMARK, Contender.PGJDBC);

  @Test
  void everyContenderHasAResultInEveryScenario() throws Exception {
    Plan tiny =
        new Plan(
            50,
            Duration.ofMillis(50),
            4,
            Duration.ofMillis(300),
            Duration.ofSeconds(5),
            Optional.empty());

    Standings standings;
    try (PeersRun run = new PeersRun(tiny, progress -> {})) {
      standings = run.run(TWO, 1);
    }

    for (Contender contender : TWO) {
      for (Scenario scenario : Scenario.values()) {
        assertThat(standings.result(contender, scenario))
            .as(contender + " " + scenario)
            .isNotInstanceOf(Result.Broken.class);
      }
    }
    assertThat(standings.result(Contender.WAYMARK, Scenario.OWN_WRITES))
        .isEqualTo(new Result.OwnWrites(4, 0, 0));
    assertThat(standings.result(Contender.PGJDBC, Scenario.OWN_WRITES))
        .as("replicas do not replay, and nothing keeps its reads from them")
        .isEqualTo(new Result.OwnWrites(4, 4, 0));
    assertThat(xml(Chart.svg(standings))).isEqualTo("svg");
  }

  private static String xml(String text) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
        .getDocumentElement()
        .getTagName();
  }
}
