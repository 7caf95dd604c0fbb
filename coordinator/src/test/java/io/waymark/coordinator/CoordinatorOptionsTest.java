package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.Backoff;
import io.waymark.core.OptionException;
import io.waymark.durable.DurableStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The options of a coordinator as texts. */
class CoordinatorOptionsTest {
  private final SqliteDatabase database = new SqliteDatabase();
  private final DurableStore store = database.store().open();

  @AfterEach
  void end() {
    store.close();
    database.close();
  }

  private TopologyCoordinatorBuilder with(Map<String, String> texts) {
    return TopologyCoordinator.builder(store).properties(texts);
  }

  @Test
  void everyOptionCanBeGivenAsText() {
    TopologyCoordinatorBuilder builder =
        with(
            Map.of(
                "publishConcurrency", "1",
                "attemptTimeout", "500ms",
                "publishWait", "0s",
                "confirmJoining", "on",
                "removeWhenEmpty", "90s",
                "authority", "orders",
                "backoff.first", "10m",
                "backoff.longest", "20m",
                "sweepInterval", "60m",
                "leavePublishing", "on"));

    assertThat(builder.publishConcurrency).isEqualTo(1);
    assertThat(builder.attemptTimeout).isEqualTo(Duration.ofMillis(500));
    assertThat(builder.publishWait).isEqualTo(Duration.ZERO);
    assertThat(builder.confirmJoining).isTrue();
    assertThat(builder.emptyApart).isEqualTo(Duration.ofSeconds(90));
    assertThat(builder.authority).isEqualTo("orders");
    assertThat(builder.backoff)
        .isEqualTo(new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(20)));
    assertThat(builder.sweepInterval).isEqualTo(Duration.ofHours(1));
    assertThat(builder.leavePublishing).isTrue();
  }

  @Test
  void defaultsAreThoseOfTheirTexts() {
    Map<String, String> defaults = new HashMap<>();
    for (CoordinatorOption option : CoordinatorOption.values()) {
      if (!option.defaultText().isEmpty()) {
        defaults.put(option.path(), option.defaultText());
      }
    }
    TopologyCoordinatorBuilder given = with(defaults);
    TopologyCoordinatorBuilder untouched = TopologyCoordinator.builder(store);

    assertThat(given)
        .usingRecursiveComparison()
        .comparingOnlyFields(
            "publishConcurrency",
            "attemptTimeout",
            "publishWait",
            "backoff",
            "sweepInterval",
            "confirmJoining",
            "leavePublishing",
            "emptyApart",
            "authority")
        .isEqualTo(untouched);
    assertThat(untouched.backoff).isEqualTo(Backoff.DEFAULT);
  }

  @Test
  void whatCannotBeUsedIsRefusedByItsName() {
    refused("publishConcurrency", "1001", "it is out of bounds");
    refused("publishConcurrency", "many", "it is not a whole number");
    refused("attemptTimeout", "0s", "it is out of bounds");
    refused("publishWait", "61m", "it is out of bounds");
    refused("confirmJoining", "yes", "it is not one of the words");
    refused("removeWhenEmpty", "soon", "it is not a duration");
    refused("backoff.longest", "10ms", "a first wait of 1s");
    refused("sweepInterval", "10ms", "it is out of bounds");
    assertThatThrownBy(() -> with(Map.of("publishConcurency", "1")))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("did you mean publishConcurrency?");
  }

  private void refused(String path, String text, String why) {
    assertThatThrownBy(() -> with(Map.of(path, text)))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining(path + " cannot be ")
        .hasMessageContaining(why)
        .hasMessageContaining("Accepted: ");
  }
}
