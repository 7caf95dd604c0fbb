package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SingleFlightTest {
  private final AtomicInteger wakes = new AtomicInteger();
  private final SingleFlight<String> flight = new SingleFlight<>(wakes::incrementAndGet);

  @Test
  void whoAsksBeforeTheStartSharesOneQuestionAndOneWake() {
    CompletableFuture<String> first = flight.ask();
    CompletableFuture<String> second = flight.ask();
    assertThat(flight.isWanted()).isTrue();

    flight.start().complete("answer");

    assertThat(first).isCompletedWithValue("answer");
    assertThat(second).isCompletedWithValue("answer");
    assertThat(wakes).hasValue(1);
    assertThat(flight.isWanted()).isFalse();
  }

  @Test
  void whoAsksAfterTheStartWaitsForTheNextQuestion() {
    CompletableFuture<String> early = flight.ask();
    CompletableFuture<String> running = flight.start();

    CompletableFuture<String> late = flight.ask();
    running.complete("old");

    assertThat(early).isCompletedWithValue("old");
    assertThat(late).isNotDone();
    assertThat(wakes).hasValue(2);

    flight.start().complete("new");
    assertThat(late).isCompletedWithValue("new");
  }

  @Test
  void aQuestionThatNobodyAskedIsAnsweredToNobody() {
    flight.start().complete("unasked");

    CompletableFuture<String> asked = flight.ask();

    assertThat(asked).isNotDone();
    assertThat(wakes).hasValue(1);
  }

  @Test
  void aFailureReachesAllWhoWait() {
    CompletableFuture<String> first = flight.ask();
    CompletableFuture<String> second = flight.ask();

    flight.start().completeExceptionally(new IllegalStateException("down"));

    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedExceptionally();
  }

  @Test
  void underContentionEveryAnswerIsOfAQuestionThatStartedAfterTheAsk() throws Exception {
    AtomicLong clock = new AtomicLong();
    Semaphore waiting = new Semaphore(0);
    AtomicInteger questions = new AtomicInteger();
    AtomicInteger woken = new AtomicInteger();
    AtomicBoolean done = new AtomicBoolean();
    SingleFlight<Long> contended =
        new SingleFlight<>(
            () -> {
              woken.incrementAndGet();
              waiting.release();
            });
    Thread worker =
        new Thread(
            () -> {
              while (!done.get()) {
                waiting.acquireUninterruptibly();
                CompletableFuture<Long> question = contended.start();
                questions.incrementAndGet();
                question.complete(clock.incrementAndGet());
              }
            });
    worker.start();

    try {
      Threads.together(
          4,
          thread -> {
            for (int i = 0; i < 5_000; i++) {
              long asked = clock.incrementAndGet();
              long answered = contended.ask().get(10, TimeUnit.SECONDS);
              assertThat(answered).isGreaterThan(asked);
            }
          });
    } finally {
      done.set(true);
      waiting.release();
      worker.join();
    }

    assertThat(woken.get()).isBetween(questions.get() - 1, questions.get());
  }
}
