package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Looks for secrets wherever configuration can be shown. */
class OptionSecretsTest {
  private static final String SECRET = "hunter2";
  private static final String URL =
      "jdbc:postgresql://db-a:6432/app?user=app&password=" + SECRET + "&sslpassword=" + SECRET;

  private static WaymarkDataSourceBuilder builder() {
    return WaymarkDataSource.builder().primary(URL).password(SECRET);
  }

  @Test
  void theConfigurationShowsAddressesAndNoCredentials() {
    WaymarkDataSourceConfig config = builder().replica(URL).password(() -> SECRET).config();

    assertThat(config.toString())
        .contains("address=db-a:6432/app")
        .doesNotContain(SECRET)
        .doesNotContain("password=");
    assertThat(config.primary().toString()).doesNotContain(SECRET);
    assertThat(config.replicas().toString()).doesNotContain(SECRET);
    assertThat(config.primary().address()).isEqualTo("db-a:6432/app");
  }

  @Test
  void noBuilderShowsThem() {
    WaymarkDataSourceBuilder builder =
        builder()
            .replica(
                replica -> {
                  replica.url(URL);
                  assertThat(replica.toString()).doesNotContain(SECRET);
                })
            .properties(Map.of("password", SECRET));
    assertThat(builder.toString()).doesNotContain(SECRET);
  }

  @Test
  void noMessageAboutSeveralOptionsShowsThem() {
    List<Runnable> mistakes =
        List.of(
            () -> builder().replica(r -> r.url(URL).name("primary")).config(),
            () -> builder().replica(r -> r.url(URL).weight(0)),
            () -> builder().single(URL).config(),
            () -> builder().properties(Map.of("passwort", SECRET)),
            () -> builder().properties(Map.of(URL, SECRET)),
            () -> builder().replica(URL).properties(Map.of("replicas[0].url", URL)));
    assertThat(mistakes).allSatisfy(mistake -> shownNowhere(catchThrowable(mistake::run)));
  }

  @ParameterizedTest
  @EnumSource
  void noSecretOptionShowsItsText(PostgresOption option) {
    if (!option.secret() || option == PostgresOption.PASSWORD) {
      return;
    }
    List<String> texts =
        List.of(
            SECRET,
            "app:" + SECRET + "@db-a/app",
            "postgresql://app:" + SECRET + "@db-a/app",
            "jdbc:postgresql://app:" + SECRET + "@db-a/app",
            "jdbc:postgresql://app:" + SECRET + "@db-a,db-b/app",
            "jdbc:postgresql://db-a,db-b/app?password=" + SECRET,
            "jdbc:postgresql://db-a?password=" + SECRET,
            "jdbc:postgresql://db-a:x/app?password=" + SECRET,
            "jdbc:postgresql://db-a/app?password=" + SECRET + "%",
            "jdbc:mysql://db-a/app?password=" + SECRET);
    String key = option.at(0).path();
    assertThat(texts)
        .allSatisfy(
            text -> {
              Map<String, String> properties = Map.of(key, text);
              shownNowhere(
                  catchThrowable(() -> WaymarkDataSource.builder().properties(properties)));
            });
  }

  private static void shownNowhere(Throwable thrown) {
    assertThat(thrown).isNotNull();
    StringWriter all = new StringWriter();
    thrown.printStackTrace(new PrintWriter(all, true));
    assertThat(all.toString()).contains("WM1120").doesNotContain(SECRET);
  }
}
