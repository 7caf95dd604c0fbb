package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs for five minutes, so only where {@code -Dwaymark.long=true} asks for it. */
@EnabledIfSystemProperty(named = "waymark.long", matches = "true", disabledReason = "takes minutes")
class LongQueryTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  @Test
  void aQueryOfFiveMinutesOnAServerThatAnswersItsProbesIsLeftAlone() throws SQLException {
    try (RecordedDataSource source = cluster.open(b -> b.routing(r -> r.probe("200ms")))) {
      long started = System.nanoTime();

      assertThat(source.read("SELECT 'done' FROM pg_sleep(300)")).isEqualTo("done");

      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .isGreaterThan(Duration.ofMinutes(5));
      assertThat(source.lastEvent().endpoint()).startsWith("replica-");
      assertThat(source.events()).hasSize(1);
    }
  }
}
