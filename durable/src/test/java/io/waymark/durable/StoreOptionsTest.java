package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What options take, and what they refuse before anything is opened. */
class StoreOptionsTest {
  private static DurableStoreBuilder sqlite() {
    return DurableStore.sqlite(Path.of("/nowhere/store.db"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          poll        | 999ms   | poll cannot be "999ms"
          poll        | 15.001s | poll cannot be "15.001s"
          poll        | soon    | it is not a duration
          keepSettled | 59s     | keepSettled cannot be "59s"
          schema      | creat   | did you mean create?
          polll       | 5s      | "polll" is not an option; did you mean poll?
          """)
  void aTextThatCannotBeUsedIsRefused(String path, String text, String said) {
    DurableStoreBuilder builder = sqlite();

    assertThatThrownBy(() -> builder.properties(Map.of(path, text)))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120")
        .hasMessageContaining(said);
  }

  @Test
  void boundsAreAccepted() {
    DurableStoreBuilder postgres = DurableStore.postgres(new PGSimpleDataSource());
    Map<String, String> texts =
        Map.of("schema", "none", "inSchema", "app_1", "keepSettled", "1m", "poll", "1s");

    assertThatCode(() -> postgres.properties(texts).poll(Duration.ofSeconds(15)))
        .doesNotThrowAnyException();
  }

  @Test
  void whatADeliveryDoesNotTakeIsRefused() {
    DeliveryOptions options = new DeliveryOptions();

    assertThatThrownBy(() -> options.concurrency(0))
        .hasMessageContaining("concurrency cannot be 0");
    assertThatThrownBy(() -> options.concurrency(1_001)).isInstanceOf(OptionException.class);
    assertThatThrownBy(() -> options.attemptTimeout(Duration.ZERO))
        .hasMessageContaining("attemptTimeout cannot be \"0s\"");
    assertThatThrownBy(() -> options.attemptTimeout(Duration.ofMinutes(61)))
        .hasMessageContaining("it is too long");
  }
}
