package io.waymark.cli;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pulls the levers of a plan in time, on a thread of its own: a server takes its time to start. */
final class Director implements Runnable {
  private final PostgresCluster cluster;
  private final DemoPlan plan;
  private final Duration whole;
  private final Duration lag;
  private final CountDownLatch stop;
  private volatile DemoPlan.Step now;
  private volatile @Nullable RuntimeException failure;

  Director(
      PostgresCluster cluster, DemoPlan plan, Duration whole, Duration lag, CountDownLatch stop) {
    this.cluster = cluster;
    this.plan = plan;
    this.whole = whole;
    this.lag = lag;
    this.stop = stop;
    this.now = plan.steps().get(0);
  }

  /** The step that was begun last. */
  DemoPlan.Step now() {
    return now;
  }

  /** What kept a lever from doing what it promises. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  @Override
  public void run() {
    long started = System.nanoTime();
    try {
      Iterator<DemoPlan.Step> steps = plan.steps().iterator();
      while (steps.hasNext()) {
        DemoPlan.Step step = steps.next();
        long due = started + DemoPlan.due(step, whole).toNanos();
        if (stop.await(due - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return;
        }
        now = step;
        pull(step);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (stop.getCount() > 0) {
        failure = e;
      }
    }
  }

  private void pull(DemoPlan.Step step) {
    if (step.lever() == DemoPlan.Lever.NONE) {
      return;
    }
    PostgresNode node = cluster.node(step.node());
    switch (step.lever()) {
      case LAG -> node.applyDelay(lag);
      case NO_LAG -> node.applyDelay(Duration.ZERO);
      case KILL -> node.kill();
      case RESTART -> node.start();
      default -> throw new IllegalStateException("no lever: " + step);
    }
  }
}
