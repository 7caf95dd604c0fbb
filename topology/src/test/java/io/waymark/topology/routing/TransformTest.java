package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TransformTest {
  private static final ContextKey<String> REGION = ContextKey.of("region");
  private static final ContextKey<Supplier<Integer>> QUOTA = ContextKey.of("quota");

  private final List<String> seen = new ArrayList<>();
  private final Target target = new Target();

  /** What transforms lead to: it answers with the length of what it got. */
  private final class Target implements Router<String, Integer> {
    private RoutingContext last = RoutingContext.EMPTY;
    private int calls;

    @Override
    public Outcome<Integer> push(String input, RoutingContext context) {
      calls++;
      last = context;
      seen.add("target");
      return Outcome.accepted(input.length());
    }

    @Override
    public Router<String, Integer> with(Transform<String, Integer> transform) {
      return TransformedRouter.of(this, transform);
    }
  }

  private Transform<String, Integer> noting(String name) {
    return session -> {
      seen.add(name + " begins");
      Outcome<Integer> outcome = session.next();
      seen.add(name + " ends");
      return outcome;
    };
  }

  @Test
  void transformsRunInTheOrderInWhichTheyWereAdded() {
    Outcome<Integer> outcome =
        target.with(noting("first")).with(noting("second")).with(noting("third")).push("four");

    assertThat(outcome).isEqualTo(Outcome.accepted(4));
    assertThat(seen)
        .containsExactly(
            "first begins",
            "second begins",
            "third begins",
            "target",
            "third ends",
            "second ends",
            "first ends");
  }

  @Test
  void aViewLeavesWhatItWasMadeFromAsItIs() {
    Router<String, Integer> one = target.with(noting("one"));
    Router<String, Integer> two = one.with(noting("two"));

    one.push("a");
    assertThat(seen).containsExactly("one begins", "target", "one ends");

    seen.clear();
    target.push("a");
    assertThat(seen).containsExactly("target");

    seen.clear();
    two.push("a");
    assertThat(seen).contains("one begins", "two begins");
  }

  @Test
  void contextIsMergedAndTheTransformsValueWins() {
    Supplier<Integer> quota = () -> 7;
    RoutingContext said = RoutingContext.of(REGION, "eu").with(QUOTA, quota);

    target.with(Tenant.of("acme")).with(REGION.to("us")).push("a", said);

    assertThat(target.last.get(REGION)).hasValue("us");
    assertThat(target.last.get(QUOTA)).containsSame(quota);
    assertThat(target.last.get(Tenant.KEY)).hasValue("acme");
    assertThat(said.get(REGION)).hasValue("eu");
  }

  @Test
  void ofTwoTransformsTheLaterOneWins() {
    target.with(Tenant.of("acme")).with(Tenant.of("umbrella")).push("a");

    assertThat(target.last.get(Tenant.KEY)).hasValue("umbrella");
  }

  @Test
  void withoutContextNothingIsMadeUp() {
    target.with(noting("one")).push("a");

    assertThat(target.last).isEqualTo(RoutingContext.EMPTY);
  }

  @Test
  void aTransformSeesThePushAndTheContextSoFar() {
    target
        .with(Tenant.of("acme"))
        .with(
            session -> {
              seen.add(session.method() + " of " + session.input());
              seen.add(session.context().get(Tenant.KEY).orElse("nobody"));
              seen.add(session.context().get(REGION).orElse("nowhere"));
              return session.next();
            })
        .push("a", RoutingContext.of(REGION, "eu"));

    assertThat(seen).containsExactly("push of a", "acme", "eu", "target");
  }

  @Test
  void aRejectionAndWhatIsThrownPassThroughAsTheyAre() {
    Outcome<Integer> rejected = Outcome.rejected("TooMany", "at most 10");
    RuntimeException thrown = new IllegalStateException("the connection is lost");
    Router<String, Integer> rejecting = target.with(noting("one")).with(session -> rejected);
    Router<String, Integer> throwing =
        target
            .with(noting("one"))
            .with(
                session -> {
                  throw thrown;
                });

    assertThat(rejecting.push("a")).isSameAs(rejected);
    assertThatThrownBy(() -> throwing.push("a")).isSameAs(thrown);
    assertThat(target.calls).isZero();
  }

  @Test
  void aPushGoesOnOnce() {
    Router<String, Integer> twice =
        target.with(
            session -> {
              session.next();
              return session.next();
            });

    assertThatIllegalStateException()
        .isThrownBy(() -> twice.push("a"))
        .withMessageContaining("not sent twice");
    assertThat(target.calls).isEqualTo(1);
  }

  @Test
  void whatIsNoTransformAndNoOutcomeIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> target.with(noTransform()));
    assertThatNullPointerException()
        .isThrownBy(() -> target.with(noting("one")).with(noTransform()));
    assertThatNullPointerException()
        .isThrownBy(() -> target.with(session -> noOutcome()).push("a"))
        .withMessageContaining("no outcome");
  }

  @SuppressWarnings("NullAway") // callers without the checker may
  private static Transform<String, Integer> noTransform() {
    return null;
  }

  @SuppressWarnings("NullAway") // callers without the checker may
  private static Outcome<Integer> noOutcome() {
    return null;
  }

  @Test
  void aContextShowsNoValues() {
    RoutingContext context = RoutingContext.of(REGION, "eu").with(Tenant.KEY, "acme");

    assertThat(context).hasToString("RoutingContext[region, tenant]");
    assertThat(REGION).hasToString("region");
  }

  @Test
  void contextsWithTheSameValuesAreEqual() {
    assertThat(RoutingContext.of(REGION, "eu").with(Tenant.KEY, "acme"))
        .isEqualTo(RoutingContext.of(Tenant.KEY, "acme").with(REGION, "eu"))
        .hasSameHashCodeAs(RoutingContext.of(Tenant.KEY, "acme").with(REGION, "eu"))
        .isNotEqualTo(RoutingContext.of(REGION, "eu"));
    assertThat(RoutingContext.of(REGION, "eu"))
        .isNotEqualTo(RoutingContext.of(ContextKey.<String>of("region"), "eu"));
    assertThat(RoutingContext.EMPTY.isEmpty()).isTrue();
    assertThat(RoutingContext.of(REGION, "eu").isEmpty()).isFalse();
  }

  @Test
  void namesAreNotBlank() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContextKey.of(" "))
        .withMessage("a context key needs a name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tenant.of(""))
        .withMessage("a tenant needs a name");
  }
}
