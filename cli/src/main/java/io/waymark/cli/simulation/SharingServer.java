package io.waymark.cli.simulation;

import java.util.PriorityQueue;

/**
 * Processor sharing: all calls at once, each at an equal part of the server's speed, as threads on
 * one processor are.
 */
final class SharingServer implements Server {
  private final VirtualTime time;
  private final PriorityQueue<Job> jobs = new PriorityQueue<>();
  private double speed = 1;

  /** How much work each call that was there from the beginning would have got. */
  private double attained;

  private long since;
  private long arrivals;

  /** Of all that was planned for the end of a job only the last still counts. */
  private long plan;

  SharingServer(VirtualTime time) {
    this.time = time;
  }

  /** From now on works at this speed; 1 is full speed. */
  void speed(double speed) {
    advance();
    this.speed = speed;
    planNext();
  }

  @Override
  public void take(long work, Runnable done) {
    advance();
    jobs.add(new Job(attained + work, arrivals++, done));
    planNext();
  }

  private void advance() {
    long now = time.getAsLong();
    if (!jobs.isEmpty()) {
      attained += (now - since) * speed / jobs.size();
    }
    since = now;
  }

  private void planNext() {
    Job next = jobs.peek();
    long current = ++plan;
    if (next != null) {
      double wait = (next.end - attained) * jobs.size() / speed;
      time.after((long) Math.ceil(wait), () -> finish(current));
    }
  }

  private void finish(long planned) {
    if (planned != plan) {
      return;
    }
    advance();
    Job done = jobs.remove();
    planNext();
    done.done.run();
  }

  private record Job(double end, long order, Runnable done) implements Comparable<Job> {
    @Override
    public int compareTo(Job other) {
      int byEnd = Double.compare(end, other.end);
      return byEnd != 0 ? byEnd : Long.compare(order, other.order);
    }
  }
}
