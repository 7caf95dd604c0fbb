package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.waymark.core.OptionException;
import java.util.Properties;

/** Whatever a URL holds, it is read or refused, and no secret is shown. */
class WaymarkUrlFuzzTest {
  private static final String SECRET = "hunter2";

  @FuzzTest(maxDuration = "1m")
  void aUrlIsReadOrRefused(FuzzedDataProvider data) {
    Properties info = new Properties();
    info.setProperty("password", SECRET);
    if (data.consumeBoolean()) {
      info.setProperty(data.consumeString(20), data.consumeString(20));
    }
    String start = data.consumeBoolean() ? "//db-a,db-b/app?password=" + SECRET + "&" : "";
    String rest = data.consumeRemainingAsString();
    if (rest.contains(SECRET)) {
      return; // then it is no secret
    }
    try {
      WaymarkUrl url = WaymarkUrl.parse(WaymarkUrl.PREFIX + start + rest, info);
      assertThat(url.toString()).doesNotContain(SECRET);
      assertThat(url.builder().config().toString()).doesNotContain(SECRET);
    } catch (OptionException refused) {
      assertThat(refused)
          .hasMessageStartingWith("WM1120: ")
          .hasMessageMatching("\\P{Cntrl}*")
          .hasMessageNotContaining(SECRET);
    }
  }
}
