package io.waymark.cli.shards;

import io.waymark.cli.processes.WorkerProcess;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Orders changes from the coordinators, one after the other in each of some lanes, and waits for
 * each answer as long as there is a process that could give it.
 */
final class Load {
  private static final long LOOK_MILLIS = 50;
  private static final int LONGEST_REST_MILLIS = 60;

  private final Judge judge;
  private final Map<Long, CompletableFuture<Said>> open = new ConcurrentHashMap<>();

  Load(Judge judge) {
    this.judge = judge;
  }

  /** Something was said; if it is an answer, whoever waits for it has it. */
  void heard(Said said) {
    OptionalLong number = answered(said);
    CompletableFuture<Said> waiting = number.isPresent() ? open.get(number.getAsLong()) : null;
    if (waiting != null) {
      waiting.complete(said);
    }
  }

  /** The number of the order that this is the answer to; empty if it is none. */
  static OptionalLong answered(Said said) {
    if (said instanceof Said.Acknowledged acknowledged) {
      return OptionalLong.of(acknowledged.number());
    }
    return said instanceof Said.Unknown unknown
        ? OptionalLong.of(unknown.number())
        : OptionalLong.empty();
  }

  /** Orders one change after the other from a coordinator until it is to stop. */
  void lane(WorkerProcess<Said> coordinator, SplittableRandom random, CountDownLatch stop) {
    try {
      while (!stop.await(random.nextInt(LONGEST_REST_MILLIS), TimeUnit.MILLISECONDS)) {
        if (coordinator.state() == WorkerProcess.State.RUNNING) {
          ask(coordinator, order(judge.updates().next(), random));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Order order(long number, SplittableRandom random) {
    String member = Place.MEMBERS.get(random.nextInt(Place.MEMBERS.size()));
    int draw = random.nextInt(10);
    Order.Kind kind =
        draw < 4
            ? Order.Kind.LIMIT
            : draw < 5
                ? Order.Kind.CHANGE
                : draw < 6 ? Order.Kind.DRAIN : draw < 7 ? Order.Kind.REMOVE : Order.Kind.ACTIVATE;
    return new Order(number, kind, member, 100 + random.nextInt(900));
  }

  /**
   * Gives an order and waits for the answer.
   *
   * @return the answer; that nobody knows, where the process was killed before it gave one
   */
  Said ask(WorkerProcess<Said> worker, Order order) throws InterruptedException {
    CompletableFuture<Said> answer = new CompletableFuture<>();
    open.put(order.number(), answer);
    try {
      int life = worker.starts();
      Said said = worker.send(order) ? await(worker, life, answer) : null;
      if (said == null) {
        said = new Said.Unknown(order.number(), worker.name() + " was killed before it answered");
      }
      if (said instanceof Said.Unknown) {
        judge.unanswered();
      }
      return said;
    } finally {
      open.remove(order.number());
    }
  }

  private static @Nullable Said await(
      WorkerProcess<Said> worker, int life, CompletableFuture<Said> answer)
      throws InterruptedException {
    while (true) {
      try {
        return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (worker.starts() != life || worker.state() == WorkerProcess.State.DEAD) {
          return null; // should it come after all, the judge hears it
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("an answer is never a failure", e);
      }
    }
  }
}
