package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class WaymarkDataSourceBuilderTest {
  private static final String A = "jdbc:postgresql://db-a/app";
  private static final String B = "jdbc:postgresql://db-b/app";

  private static WaymarkDataSourceBuilder builder() {
    return WaymarkDataSource.builder();
  }

  private static WaymarkDataSourceConfig routed(Consumer<RoutingBuilder> routing) {
    return builder().primary(A).replica(B).routing(routing).config();
  }

  @Test
  void aPrimaryIsEnough() {
    WaymarkDataSourceConfig config = builder().primary(A).config();

    assertThat(config.primary()).isEqualTo(new EndpointConfig("primary", 0, A, 1, 10, null));
    assertThat(config.replicas()).isEmpty();
    assertThat(config.single()).isFalse();
    assertThat(config.existing()).isEmpty();
    assertThat(config.user()).isEmpty();
    assertThat(config.password()).isEmpty();
    assertThat(config.acquireTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.routing())
        .isEqualTo(
            new RoutingConfig(
                Duration.ofSeconds(1),
                Select.WEIGHTED,
                Consistency.SESSION,
                Fallback.PRIMARY,
                null,
                Nudge.OFF,
                null));
  }

  @Test
  void everythingThatIsGivenArrives() {
    List<RouteEvent> events = new ArrayList<>();
    Random random = new Random(1);
    WaymarkDataSourceConfig config =
        builder()
            .primary(A)
            .replica(B)
            .replica(r -> r.url(B).name("east").weight(2.5).poolMax(4).zone("b"))
            .user("app")
            .password("secret")
            .max(16)
            .acquireTimeout(Duration.ofSeconds(2))
            .connectTimeout("1.5s")
            .routing(r -> r.select(Select.ROUND_ROBIN).consistency(Consistency.EVENTUAL))
            .routing(
                r ->
                    r.fallback(Fallback.ERROR)
                        .maxLag("5s")
                        .probe("250ms")
                        .nudge(Nudge.ON)
                        .zone("a"))
            .onRoute(events::add)
            .ticker(() -> 7)
            .random(random)
            .config();

    assertThat(config.primary().max()).isEqualTo(16);
    assertThat(config.replicas())
        .containsExactly(
            new EndpointConfig("replica-1", 1, B, 1, 16, null),
            new EndpointConfig("east", 2, B, 2.5, 4, "b"));
    assertThat(config.user()).contains("app");
    assertThat(config.password().map(Supplier::get)).contains("secret");
    assertThat(config.acquireTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofMillis(1500));
    assertThat(config.routing())
        .isEqualTo(
            new RoutingConfig(
                Duration.ofMillis(250),
                Select.ROUND_ROBIN,
                Consistency.EVENTUAL,
                Fallback.ERROR,
                new MaxLag.Time(Duration.ofSeconds(5)),
                Nudge.ON,
                "a"));
    assertThat(config.ticker().getAsLong()).isEqualTo(7);
    assertThat(config.random()).isSameAs(random);
  }

  @Test
  void anUnnamedReplicaIsNumberedByItsPlace() {
    WaymarkDataSourceConfig config =
        builder().primary(A).replica(r -> r.url(B).name("east")).replica(B).config();

    assertThat(config.replicas())
        .extracting(EndpointConfig::name)
        .containsExactly("east", "replica-2");
  }

  @Test
  void aConfigurationDoesNotChangeWithItsBuilder() {
    WaymarkDataSourceBuilder builder = builder().primary(A).replica(B);
    WaymarkDataSourceConfig before = builder.config();
    builder.replica(B).max(3).routing(r -> r.probe("9s"));

    assertThat(before.replicas()).hasSize(1);
    assertThat(before.primary().max()).isEqualTo(10);
    assertThat(before.routing().probe()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aPasswordIsAskedEachTime() {
    List<String> passwords = new ArrayList<>(List.of("one", "two"));
    WaymarkDataSourceConfig config =
        builder().primary(A).password(() -> passwords.remove(0)).config();

    assertThat(passwords).hasSize(2);
    Supplier<String> password = config.password().orElseThrow();
    assertThat(password.get()).isEqualTo("one");
    assertThat(password.get()).isEqualTo("two");
  }

  // What is missing, empty, or not positive.

  @Test
  void withoutAPrimaryThereIsNothingToConnectTo() {
    refused(
        () -> builder().replica(B).config(), "primary is missing. Accepted: a URL with one host");
    refused(() -> builder().connect(), "primary is missing");
  }

  @Test
  @SuppressWarnings("NullAway") // what a variable of the environment that is not set looks like
  void nullIsNamedByItsOption() {
    String unset = System.getenv("WAYMARK_SURELY_NOT_SET");
    refused(() -> builder().primary(unset), "primary is missing");
    refused(() -> builder().replica(unset), "replicas[0].url is missing");
    refused(() -> builder().single(unset), "single is missing");
    refused(() -> builder().user(unset), "user is missing");
    refused(() -> builder().password(unset), "password is missing");
  }

  @Test
  void anEmptyUrlIsNamedByItsPlace() {
    refused(() -> builder().primary(""), "primary cannot be used: it is empty");
    refused(() -> builder().primary("  "), "primary cannot be used: it is empty");
    refused(
        () -> builder().primary(A).replica(B).replica(""),
        "replicas[1].url cannot be used: it is empty");
  }

  @Test
  void aReplicaNeedsAUrl() {
    refused(
        () -> builder().primary(A).replica(r -> r.weight(2)),
        "replicas[0].url is missing. Accepted: a URL with one host");
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void aWeightIsPositiveAndFinite(double weight) {
    refused(
        () -> builder().replica(B).replica(r -> r.url(B).weight(weight)),
        "replicas[1].weight cannot be "
            + weight
            + ": it must be positive and finite. Accepted: a positive number");
  }

  @Test
  void theTotalOfTheWeightsIsFinite() {
    Consumer<ReplicaBuilder> huge = r -> r.url(B).weight(Double.MAX_VALUE);
    refused(
        () -> builder().primary(A).replica(huge).replica(huge).config(),
        "replicas[1].weight cannot be 1.7976931348623157E308: the total of the weights");
  }

  @Test
  void aNameIsNotEmpty() {
    for (String name : List.of("", " ", "east ", "ea\nst")) {
      refused(
          () -> builder().replica(r -> r.url(B).name(name)),
          "replicas[0].name cannot be \"",
          "Accepted: a name that no other endpoint has");
    }
  }

  @Test
  void aZoneIsAName() {
    refused(() -> builder().routing(r -> r.zone("")), "routing.zone cannot be \"\"");
    refused(() -> builder().replica(r -> r.url(B).zone(" a")), "replicas[0].zone cannot be");
  }

  @Test
  void aPoolHoldsAtLeastOneConnection() {
    refused(() -> builder().max(0), "max cannot be 0: it must be positive");
    refused(
        () -> builder().replica(B).replica(r -> r.url(B).poolMax(-1)),
        "replicas[1].pool.max cannot be -1: it must be positive. Accepted: a positive whole number");
  }

  @Test
  void aNameIsUsedOnce() {
    refused(
        () ->
            builder()
                .primary(A)
                .replica(r -> r.url(B).name("east"))
                .replica(r -> r.url(B).name("east"))
                .config(),
        "replicas[1].name cannot be \"east\": it is the name of replicas[0]");
    refused(
        () -> builder().primary(A).replica(r -> r.url(B).name("replica-2")).replica(B).config(),
        "replicas[1].name cannot be \"replica-2\": it is the name of replicas[0]");
    refused(
        () -> builder().primary(A).replica(r -> r.url(B).name("primary")).connect(),
        "replicas[0].name cannot be \"primary\": it is the name of primary");
  }

  // Routing, each form with words of its own.

  @ParameterizedTest
  @CsvSource({"5s, PT5S", "500ms, PT0.5S", "2m, PT2M", "1.5s, PT1.5S", "0s, PT0S", "' 5s ', PT5S"})
  void aLagCeilingMayBeADuration(String text, Duration ceiling) {
    assertThat(routed(r -> r.maxLag(text)).routing().maxLag()).isEqualTo(new MaxLag.Time(ceiling));
  }

  @ParameterizedTest
  @CsvSource({
    "16MB, 16777216",
    "512KB, 524288",
    "1GB, 1073741824",
    "4096B, 4096",
    "0.5KB, 512",
    "0B, 0"
  })
  void aLagCeilingMayBeASize(String text, long ceiling) {
    assertThat(routed(r -> r.maxLag(text)).routing().maxLag()).isEqualTo(new MaxLag.Bytes(ceiling));
  }

  @ParameterizedTest
  @CsvSource({
    "5, a number without a unit is neither a time nor a size",
    "0, a number without a unit is neither a time nor a size",
    "soon, it is neither a duration nor a size",
    "16mb, it is neither a duration nor a size",
    "5 s, it is neither a duration nor a size",
    "-5s, it is neither a duration nor a size",
    "'', it is neither a duration nor a size"
  })
  void otherLagCeilingsAreRefused(String text, String why) {
    refused(
        () -> routed(r -> r.maxLag(text)),
        "routing.maxLag cannot be \""
            + text
            + "\": "
            + why
            + ". Accepted: a duration (\"5s\", \"500ms\", \"2m\") or a size (\"16MB\", \"512KB\","
            + " \"1GB\", \"4096B\").");
  }

  @Test
  void aTypedLagCeilingMayBeZeroButNotNegative() {
    assertThat(routed(r -> r.maxLag(Duration.ZERO)).routing().maxLag())
        .isEqualTo(new MaxLag.Time(Duration.ZERO));
    assertThat(routed(r -> r.maxLagBytes(0)).routing().maxLag()).isEqualTo(new MaxLag.Bytes(0));
    refused(
        () -> routed(r -> r.maxLag(Duration.ofMillis(-1))),
        "routing.maxLag cannot be",
        "it must not be negative");
    refused(() -> routed(r -> r.maxLagBytes(-1)), "routing.maxLag cannot be -1");
  }

  @Test
  void aLagCeilingReadsBackFromItsText() {
    for (String text : List.of("5s", "1.5s", "2m", "16MB", "4097B", "0s", "0B")) {
      assertThat(MaxLag.parse(text).text()).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @CsvSource({"1s, PT1S", "500ms, PT0.5S", "1m, PT1M", "250, PT0.25S", "0.5, PT0.0005S"})
  void aProbeIntervalMayBeMilliseconds(String text, Duration interval) {
    assertThat(routed(r -> r.probe(text)).routing().probe()).isEqualTo(interval);
  }

  @ParameterizedTest
  @CsvSource({
    "often, it is neither a duration nor a number of milliseconds",
    "1h, it is neither a duration nor a number of milliseconds",
    "-1, it is neither a duration nor a number of milliseconds",
    "NaN, it is neither a duration nor a number of milliseconds",
    "0, the number of milliseconds must be positive",
    "0s, it must be positive"
  })
  void otherProbeIntervalsAreRefused(String text, String why) {
    refused(
        () -> routed(r -> r.probe(text)),
        "routing.probe cannot be \""
            + text
            + "\": "
            + why
            + ". Accepted: a number of milliseconds, or \"1s\", \"500ms\", or \"1m\".");
  }

  @Test
  void aTypedProbeIntervalIsPositive() {
    refused(() -> routed(r -> r.probe(Duration.ZERO)), "routing.probe cannot be \"0s\"");
    refused(() -> routed(r -> r.probe(Duration.ofDays(-1))), "it must be positive");
    refused(() -> routed(r -> r.probe(Duration.ofDays(25))), "it must be at most 24 days");
  }

  @ParameterizedTest
  @CsvSource({
    "weighted, WEIGHTED",
    "roundRobin, ROUND_ROBIN",
    "leastConnections, LEAST_CONNECTIONS",
    "latencyAware, LATENCY_AWARE"
  })
  void aSelectorHasAName(String text, Select.BuiltIn select) {
    assertThat(routed(r -> r.select(text)).routing().select()).isEqualTo(select);
  }

  @Test
  void aSelectorMayBeAFunction() {
    Select.Function first = candidates -> candidates.get(0).name();
    assertThat(routed(r -> r.select(first)).routing().select()).isEqualTo(Select.by(first));
  }

  @Test
  void otherWordsAreRefusedWithThoseThatAreAccepted() {
    refused(
        () -> routed(r -> r.select("fastest")),
        "routing.select cannot be \"fastest\": it is not one of the words. Accepted: \"weighted\","
            + " \"roundRobin\", \"leastConnections\", \"latencyAware\", or in the builder a"
            + " function.");
    refused(() -> routed(r -> r.select("round-robin")), "did you mean roundRobin?");
    refused(() -> routed(r -> r.select("1")), "routing.select cannot be \"1\"");
    refused(
        () -> routed(r -> r.consistency("strong")),
        "routing.consistency cannot be \"strong\": it is not one of the words. Accepted:"
            + " \"session\" or \"eventual\".");
    refused(
        () -> routed(r -> r.fallback("replica")),
        "routing.fallback cannot be \"replica\"",
        "Accepted: \"primary\" or \"error\".");
  }

  @Test
  void aTimeoutHasAUnitAndBounds() {
    refused(() -> builder().acquireTimeout("30"), "acquireTimeout cannot be \"30\": it is not a");
    refused(
        () -> builder().acquireTimeout("249ms"),
        "acquireTimeout cannot be \"249ms\": it is too short. Accepted: a duration of at least");
    refused(() -> builder().connectTimeout("5"), "connectTimeout cannot be \"5\"");
    refused(() -> builder().connectTimeout(Duration.ZERO), "connectTimeout cannot be \"0s\"");
    refused(() -> builder().connectTimeout("36000m"), "it must be at most 24 days");
  }

  // A lone endpoint.

  @Test
  void aLoneUrlServesBothRoutes() {
    WaymarkDataSourceConfig config = builder().single(A).user("app").max(3).config();

    assertThat(config.single()).isTrue();
    assertThat(config.primary()).isEqualTo(new EndpointConfig("primary", 0, A, 1, 3, null));
    assertThat(config.replicas()).isEmpty();
  }

  @Test
  void aDataSourceOfTheCallersServesBothRoutes() {
    PGSimpleDataSource existing = new PGSimpleDataSource();
    WaymarkDataSourceConfig config = builder().single(existing).config();

    assertThat(config.single()).isTrue();
    assertThat(config.existing()).containsSame(existing);
    assertThat(config.primary().url()).isEmpty();
    assertThat(config.primary().address()).isEmpty();
  }

  @Test
  void aLoneEndpointIsNothingElse() {
    PGSimpleDataSource existing = new PGSimpleDataSource();
    refused(() -> builder().single(A).primary(A).config(), "single is a lone endpoint");
    refused(() -> builder().single(A).replica(B).config(), "single is a lone endpoint");
    refused(() -> builder().single(existing).replica(B).config(), "single is a lone endpoint");
    refused(() -> builder().single(existing).single(A).config(), "give one of them");
    refused(() -> builder().single(existing).user("app").config(), "user has no effect");
    refused(() -> builder().single(existing).password("s").config(), "password has no effect");
    refused(() -> builder().single(existing).max(1).config(), "max has no effect");
    refused(
        () -> builder().single(existing).acquireTimeout("1s").config(),
        "acquireTimeout has no effect");
    refused(
        () -> builder().single(existing).connectTimeout("1s").config(),
        "connectTimeout has no effect");
  }

  @Test
  void aReplicaThatFailedIsNotAdded() {
    WaymarkDataSourceBuilder builder = builder().primary(A);
    refused(() -> builder.replica(r -> r.url(B).weight(0)), "replicas[0].weight");
    assertThat(builder.replica(B).config().replicas())
        .extracting(EndpointConfig::name)
        .containsExactly("replica-1");
  }

  @Test
  void aConfigurationThatIsMadeByHandIsCheckedToo() {
    refused(() -> new EndpointConfig("x", 2, B, 0, 1, null), "replicas[1].weight cannot be 0.0");
    refused(() -> new EndpointConfig("x", 2, B, 1, 0, null), "replicas[1].pool.max cannot be 0");
    refused(() -> new EndpointConfig("", 1, B, 1, 1, null), "replicas[0].name cannot be \"\"");
    refused(
        () -> new EndpointConfig("x", 1, "jdbc:h2:mem", 1, 1, null),
        "replicas[0].url cannot be used");
    refused(() -> new EndpointConfig("primary", 0, A, 1, 0, null), "max cannot be 0");
    refused(() -> new EndpointConfig("x", 2, B, 1, 1, ""), "replicas[1].zone cannot be \"\"");
  }

  private interface Call {
    Object run() throws Exception;
  }

  private static void refused(Call call, String... parts) {
    assertThatThrownBy(call::run)
        .isExactlyInstanceOf(OptionException.class)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("WM1120: ")
        .hasMessageContainingAll(parts);
  }
}
