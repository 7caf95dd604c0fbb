package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.waymark.core.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeoutTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final CountDownLatch answers = new CountDownLatch(1);
  private final CompletableFuture<String> pushed = new CompletableFuture<>();

  /** Answers when it is let to. */
  private final Router<String, Integer> slow =
      router(
          input -> {
            boolean interrupted = false;
            try {
              interrupted = !answers.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
              interrupted = true;
            }
            pushed.complete(interrupted ? "interrupted" : input);
            return Outcome.accepted(1);
          });

  private interface Push {
    Outcome<Integer> push(String input);
  }

  private static Router<String, Integer> router(Push push) {
    return new Router<>() {
      @Override
      public Outcome<Integer> push(String input, RoutingContext context) {
        return push.push(input);
      }

      @Override
      public Router<String, Integer> with(Transform<String, Integer> transform) {
        return TransformedRouter.of(this, transform);
      }
    };
  }

  @AfterEach
  void letItEnd() {
    answers.countDown();
  }

  @Test
  void anAnswerInTimeIsTheAnswer() {
    Outcome<Integer> rejected = Outcome.rejected("TooMany", "at most 10");

    assertThat(router(input -> rejected).with(Timeout.of(LONG)).push("a")).isSameAs(rejected);
  }

  @Test
  void theErrorNamesTheMethodAndTheTimeAndSaysThatTheOutcomeIsUnknown() {
    assertThatThrownBy(() -> slow.with(Timeout.of(SHORT)).push("a"))
        .asInstanceOf(type(PushTimeoutException.class))
        .satisfies(
            e -> {
              assertThat(e)
                  .hasMessageContaining("push was not answered within 20 ms")
                  .hasMessageContaining("unknown");
              assertThat(e.code()).isEqualTo("WM2310");
              assertThat(e.isUnsent()).isFalse();
            });
  }

  @Test
  void theCallGoesOnAndIsNotInterrupted() throws Exception {
    assertThatThrownBy(() -> slow.with(Timeout.of(SHORT)).push("a"))
        .isInstanceOf(PushTimeoutException.class);
    assertThat(pushed).isNotDone();

    answers.countDown();

    assertThat(pushed.get(1, TimeUnit.MINUTES)).isEqualTo("a");
  }

  @Test
  void aCallerThatIsInterruptedLeavesAndStaysInterrupted() throws Exception {
    CompletableFuture<Boolean> stayed = new CompletableFuture<>();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                slow.with(Timeout.of(LONG)).push("a");
              } catch (PushTimeoutException e) {
                stayed.complete(Thread.currentThread().isInterrupted());
                thrown.complete(e);
              }
            },
            "caller");
    caller.start();

    caller.interrupt();

    assertThat(stayed.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(thrown.get()).hasMessageContaining("push was left");
  }

  @Test
  void whatTheCallThrowsIsThrownAsItIs() {
    Error error = new StackOverflowError();
    IOException checked = new IOException("sneaked through");

    assertThatThrownBy(
            () ->
                router(
                        input -> {
                          throw error;
                        })
                    .with(Timeout.of(LONG))
                    .push("a"))
        .isSameAs(error);
    assertThatThrownBy(
            () ->
                router(
                        input -> {
                          TimeoutTest.<RuntimeException>sneak(checked);
                          return Outcome.accepted(1);
                        })
                    .with(Timeout.of(LONG))
                    .push("a"))
        .isSameAs(checked);
  }

  @SuppressWarnings("unchecked") // what Kotlin or Lombok may do
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aPushThatHadNoThreadWhenItsCallerLeftIsNotSent() {
    Queue<Runnable> waiting = new ArrayDeque<>();
    answers.countDown();

    assertThatThrownBy(() -> slow.with(Timeout.of(SHORT, waiting::add)).push("a"))
        .asInstanceOf(type(PushTimeoutException.class))
        .satisfies(
            e -> {
              assertThat(e.isUnsent()).isTrue();
              assertThat(e).hasMessageContaining("within 20 ms").hasMessageContaining("not sent");
            });

    Objects.requireNonNull(waiting.poll()).run();
    assertThat(pushed).isNotDone();
  }

  @Test
  void anExecutorThatTakesNothingIsHeard() {
    assertThatThrownBy(
            () ->
                slow.with(
                        Timeout.of(
                            LONG,
                            work -> {
                              throw new RejectedExecutionException("full");
                            }))
                    .push("a"))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("full");
  }

  @Test
  void whatTransformsAddReachesTheOtherThread() {
    CompletableFuture<RoutingContext> got = new CompletableFuture<>();
    Router<String, Integer> target =
        new Router<>() {
          @Override
          public Outcome<Integer> push(String input, RoutingContext context) {
            got.complete(context);
            return Outcome.accepted(1);
          }

          @Override
          public Router<String, Integer> with(Transform<String, Integer> transform) {
            return TransformedRouter.of(this, transform);
          }
        };

    target.with(Timeout.of(LONG)).with(Tenant.of("acme")).push("a");

    assertThat(got.join().get(Tenant.KEY)).hasValue("acme");
  }

  @Test
  void aTimeoutForEverIsOne() {
    Duration ever = Duration.ofSeconds(Long.MAX_VALUE);

    assertThat(router(input -> Outcome.accepted(2)).with(Timeout.of(ever)).push("a").isAccepted())
        .isTrue();
    assertThat(PushTimeoutException.after("push", ever, false))
        .hasMessageContaining("within 9223372036854775807000 ms");
  }

  @Test
  void aNegativeTimeoutIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Timeout.of(Duration.ofMillis(-1)))
        .withMessage("a timeout must not be negative, was PT-0.001S");
  }
}
