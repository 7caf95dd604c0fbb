package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.waymark.core.Attempts.Journey;
import io.waymark.core.Attempts.Verdict;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The journeys here are scripts: what is decided, carried and judged, one after the other. */
@Timeout(20)
class AttemptsTest {
  private static final long FAR = TimeUnit.SECONDS.toNanos(100);

  private final AtomicLong ticker = new AtomicLong();
  private final List<Node> nodes = Node.alike(ticker, 5);
  private final Node a = nodes.get(0);
  private final Node b = nodes.get(1);
  private final Node c = nodes.get(2);
  private final Script script = new Script(nodes, ticker);

  @Test
  void whoIsChosenIsCalledOnceAndItsAnswerReturned() throws Exception {
    script.choose(a).answer("hello");

    assertThat(Attempts.run(script)).isEqualTo("hello");

    assertThat(script.log).containsExactly("decide [] []", "carry a");
  }

  @Test
  void aRefusalIsTheJourneysOwnError() {
    script.refuse("behind");

    assertThatThrownBy(() -> Attempts.run(script)).isInstanceOf(Failure.class).hasMessage("behind");

    assertThat(script.log).containsExactly("decide [] []");
  }

  @Nested
  class Evidence {
    @Test
    void isAwaitedAndThenDecidedAgain() throws Exception {
      script.ask(a).evidence(CompletableFuture.completedFuture(1)).choose(a).answer("ok");

      assertThat(Attempts.run(script)).isEqualTo("ok");

      assertThat(script.log)
          .containsExactly("decide [] []", "evidence a", "decide [] [a]", "carry a");
    }

    @Test
    void isAskedOfOneMemberAfterTheOther() throws Exception {
      CompletableFuture<Integer> known = CompletableFuture.completedFuture(1);
      script.ask(a).evidence(known).ask(b).evidence(known).choose(b).answer("ok");

      assertThat(Attempts.run(script)).isEqualTo("ok");

      assertThat(script.log)
          .containsExactly(
              "decide [] []",
              "evidence a",
              "decide [] [a]",
              "evidence b",
              "decide [] [a, b]",
              "carry b");
    }

    @Test
    void isNeverAskedTwiceOfTheSameMember() {
      script.ask(a).evidence(CompletableFuture.completedFuture(1)).ask(a);

      assertThatThrownBy(() -> Attempts.run(script))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a was asked for evidence already");

      assertThat(script.log).containsExactly("decide [] []", "evidence a", "decide [] [a]");
    }

    @Test
    void thatFailsIsNoEvidence() {
      script.ask(a).evidence(CompletableFuture.failedFuture(new IOException("gone")));
      script.refuse("behind");

      assertThatThrownBy(() -> Attempts.run(script)).hasMessage("behind").hasNoCause();
    }

    @Test
    void thatIsCancelledIsNoEvidence() {
      CompletableFuture<Integer> cancelled = new CompletableFuture<>();
      cancelled.cancel(false);
      script.ask(a).evidence(cancelled).refuse("behind");

      assertThatThrownBy(() -> Attempts.run(script)).hasMessage("behind");
      assertThatThrownBy(cancelled::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void isAwaitedOnlyUntilTheDeadline() {
      script.deadline = ticker.get() + TimeUnit.MILLISECONDS.toNanos(5);
      script.ask(a).evidence(new CompletableFuture<>()).refuse("behind");

      assertThatThrownBy(() -> Attempts.run(script)).hasMessage("behind");

      assertThat(script.log).containsExactly("decide [] []", "evidence a", "decide [] [a]");
    }

    @Test
    void thatIsThereAlreadyCountsAlsoAfterTheDeadline() throws Exception {
      script.deadline = ticker.get() - 1;
      script.ask(a).evidence(CompletableFuture.completedFuture(1)).choose(a).answer("ok");

      assertThat(Attempts.run(script)).isEqualTo("ok");
    }

    @Test
    void comesFromAnotherThread() throws Exception {
      CompletableFuture<Integer> late = new CompletableFuture<>();
      script.ask(a).evidence(late).choose(a).answer("ok");
      script.onEvidence = () -> new Thread(() -> late.complete(1)).start();

      assertThat(Attempts.run(script)).isEqualTo("ok");
    }

    @Test
    void interruptionEndsTheWaitAndTheThreadStaysInterrupted() {
      script.ask(a).evidence(new CompletableFuture<>());
      script.onEvidence = () -> Thread.currentThread().interrupt();

      Throwable thrown = catchThrowable(() -> Attempts.run(script));

      assertThat(Thread.interrupted()).isTrue();
      assertThat(thrown)
          .isInstanceOf(Failure.class)
          .hasMessage("interrupted")
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(script.log).containsExactly("decide [] []", "evidence a");
    }

    @Test
    void whoWasAskedStaysAskedAfterAFailure() throws Exception {
      script.ask(a).evidence(CompletableFuture.completedFuture(1));
      script.choose(a).fail("broken").judge(Verdict.ELSEWHERE).choose(b).answer("ok");

      assertThat(Attempts.run(script)).isEqualTo("ok");

      assertThat(script.log).contains("decide [a] [a]");
    }
  }

  @Nested
  class Retries {
    @Test
    void elsewhereLeavesTheMemberOut() throws Exception {
      script.choose(a).fail("broken").judge(Verdict.ELSEWHERE).choose(b).answer("ok");

      assertThat(Attempts.run(script)).isEqualTo("ok");

      assertThat(script.log)
          .containsExactly("decide [] []", "carry a", "judge a broken", "decide [a] []", "carry b");
    }

    @Test
    void givingUpThrowsTheFailureItself() {
      Failure failure = new Failure("broken", null);
      script.choose(a).fail(failure).judge(Verdict.GIVE_UP);

      assertThat(catchThrowable(() -> Attempts.run(script)))
          .isSameAs(failure)
          .hasNoSuppressedExceptions();
    }

    @Test
    void theThirdFailureIsTheLastAndCarriesTheOthers() {
      script.choose(a).fail("one").judge(Verdict.ELSEWHERE);
      script.choose(b).fail("two").judge(Verdict.ELSEWHERE);
      script.choose(c).fail("three").judge(Verdict.ELSEWHERE);
      script.choose(nodes.get(3)).answer("never");

      Throwable thrown = catchThrowable(() -> Attempts.run(script));

      assertThat(thrown).hasMessage("three");
      assertThat(thrown.getSuppressed()[0]).hasMessage("two");
      assertThat(thrown.getSuppressed()[0].getSuppressed()[0]).hasMessage("one");
      assertThat(script.log).contains("carry c").doesNotContain("carry d");
    }

    @Test
    void aRefusalAfterAFailureRethrowsTheFailure() {
      Failure first = new Failure("one", null);
      Failure second = new Failure("two", null);
      script.choose(a).fail(first).judge(Verdict.ELSEWHERE);
      script.choose(b).fail(second).judge(Verdict.ELSEWHERE).refuse("behind");

      assertThat(catchThrowable(() -> Attempts.run(script)))
          .isSameAs(second)
          .hasSuppressedException(first);
    }

    @Test
    void theSameFailureTwiceIsNotSuppressedInItself() {
      Failure same = new Failure("one", null);
      script.choose(a).fail(same).judge(Verdict.ELSEWHERE);
      script.choose(b).fail(same).judge(Verdict.GIVE_UP);

      assertThat(catchThrowable(() -> Attempts.run(script)))
          .isSameAs(same)
          .hasNoSuppressedExceptions();
    }

    @Test
    void whatIsNotTheJourneysFailureGoesThroughUnjudged() {
      IllegalArgumentException bug = new IllegalArgumentException("a bug");
      script.choose(a).fail(bug);

      assertThat(catchThrowable(() -> Attempts.run(script))).isSameAs(bug);

      assertThat(script.log).containsExactly("decide [] []", "carry a");
    }

    @Test
    void errorsGoThrough() {
      StackOverflowError error = new StackOverflowError("deep");
      script.choose(a).fail(error);

      assertThat(catchThrowable(() -> Attempts.run(script))).isSameAs(error);
    }

    @Test
    void anUndeclaredCheckedExceptionIsShownAsABug() {
      IOException sneaky = new IOException("undeclared");
      script.choose(a).fail(sneaky);

      assertThatThrownBy(() -> Attempts.run(script))
          .isInstanceOf(IllegalStateException.class)
          .hasCause(sneaky);
    }
  }

  private static final class Failure extends Exception {
    @Serial private static final long serialVersionUID = 1;

    Failure(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private record Why(String text) implements Reason {
    @Override
    public String text(String endpoint) {
      return text;
    }
  }

  private static final class Script implements Journey<Node, String, Failure> {
    final List<String> log = new ArrayList<>();
    long deadline = FAR;
    Runnable onEvidence = () -> {};
    private final List<Node> nodes;
    private final AtomicLong ticker;
    private final Deque<Decision<Node>> decisions = new ArrayDeque<>();
    private final Deque<CompletionStage<?>> evidence = new ArrayDeque<>();
    private final Deque<Object> outcomes = new ArrayDeque<>();
    private final Deque<Verdict> verdicts = new ArrayDeque<>();

    Script(List<Node> nodes, AtomicLong ticker) {
      this.nodes = nodes;
      this.ticker = ticker;
    }

    Script choose(Node node) {
      decisions.add(new Decision.Chosen<>(node, new Why("auto")));
      return this;
    }

    Script refuse(String why) {
      decisions.add(new Decision.Refused<>(new Why(why)));
      return this;
    }

    Script ask(Node node) {
      decisions.add(new Decision.NeedsEvidence<>(node));
      return this;
    }

    Script evidence(CompletionStage<?> answer) {
      evidence.add(answer);
      return this;
    }

    Script answer(String answer) {
      outcomes.add(answer);
      return this;
    }

    Script fail(String message) {
      return fail(new Failure(message, null));
    }

    Script fail(Throwable thrown) {
      outcomes.add(thrown);
      return this;
    }

    Script judge(Verdict verdict) {
      verdicts.add(verdict);
      return this;
    }

    @Override
    public Decision<Node> decide(Tried tried) {
      log.add(
          "decide "
              + nodes.stream().filter(tried::hasFailed).toList()
              + " "
              + nodes.stream().filter(tried::wasAsked).toList());
      return decisions.remove();
    }

    @Override
    public CompletionStage<?> evidence(Node member) {
      log.add("evidence " + member);
      onEvidence.run();
      return evidence.remove();
    }

    @Override
    public String carry(Decision.Chosen<Node> chosen) throws Failure {
      log.add("carry " + chosen.member());
      Object outcome = outcomes.remove();
      if (outcome instanceof Throwable thrown) {
        throw Script.<Failure>sneaky(thrown);
      }
      return (String) outcome;
    }

    @Override
    public Class<Failure> failureType() {
      return Failure.class;
    }

    @Override
    public Verdict judge(Node member, Failure failure, Tried tried) {
      log.add("judge " + member + " " + failure.getMessage());
      return verdicts.remove();
    }

    @Override
    public Failure refused(Reason reason, @Nullable Failure failure) {
      if (failure != null) {
        return failure;
      }
      return new Failure(reason.text(""), null);
    }

    @Override
    public Failure interrupted(InterruptedException cause) {
      return new Failure("interrupted", cause);
    }

    @Override
    public long deadline() {
      return deadline;
    }

    @Override
    public LongSupplier ticker() {
      return ticker::get;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }
}
