package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {
  @Test
  void theOrderOfPropertiesAndWhiteSpaceDoNotCount() {
    assertThat(CanonicalJson.of("{ \"b\": {\"y\":1, \"x\":2}, \"a\": [ {\"d\":1,\"c\":2} ] }"))
        .isEqualTo("{\"a\":[{\"c\":2,\"d\":1}],\"b\":{\"x\":2,\"y\":1}}");
  }

  @Test
  void theOrderOfAnArrayCounts() {
    assertThat(CanonicalJson.of("[2,1]")).isEqualTo("[2,1]");
  }

  @Test
  void numbersStayAsTheyAre() {
    String numbers = "[1,1.50,0.12345678901234567890123,123456789012345678901234567890,-0.1]";

    assertThat(CanonicalJson.of(numbers)).isEqualTo(numbers);
  }

  @Test
  void theKeyOfADeliveryNamesGroupAndMemberWhateverTheyAreCalled() {
    Channels.Target target = new Channels.Target("a\"],[", "ü, \\");

    assertThat(Channels.Target.of(target.key())).isEqualTo(target);
    assertThat(CanonicalJson.list(target.key())).containsExactly("a\"],[", "ü, \\");
    assertThat(CanonicalJson.list(List.of("acme", "acme-0"))).isEqualTo("[\"acme\",\"acme-0\"]");
  }
}
