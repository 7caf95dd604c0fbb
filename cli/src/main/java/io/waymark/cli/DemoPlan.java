package io.waymark.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens to the cluster while a demo runs.
 *
 * @param steps in order of time; the first is at 0
 */
record DemoPlan(List<Step> steps) {
  /** What a step does to a node. */
  enum Lever {
    /** Nothing. */
    NONE,
    /** The first replica applies what it gets later. */
    LAG,
    /** The last replica's server is killed. */
    KILL,
    /** The first replica applies at once again. */
    NO_LAG,
    /** The last replica's server is started. */
    RESTART
  }

  /**
   * One step.
   *
   * @param at when, as a share of the whole duration
   * @param lever what is done
   * @param node to which node; empty for none
   * @param phase a few words for the time from here to the next step
   * @param meaning what there is to see in it
   */
  record Step(double at, Lever lever, String node, String phase, String meaning) {}

  /**
   * The plan for a number of replicas: one lags, another dies, for a while both, and both come
   * back. A single replica only lags.
   *
   * @param replicas at least 1
   */
  static DemoPlan of(int replicas, Duration lag) {
    String late = "replica-1";
    String dead = "replica-" + replicas;
    String lagText = Text.duration(lag);
    boolean another = replicas > 1;
    List<Step> steps = new ArrayList<>();
    steps.add(
        new Step(
            0, Lever.NONE, "", "all well", "every replica is up and keeps up with the primary"));
    steps.add(
        new Step(
            0.15,
            Lever.LAG,
            late,
            late + " lags",
            late
                + " applies commits "
                + lagText
                + " late"
                + (another
                    ? ": reads that must see more go elsewhere"
                    : ": the primary helps out")));
    if (another) {
      steps.add(
          new Step(
              0.4,
              Lever.KILL,
              dead,
              dead + " is dead too",
              dead + " was killed while " + late + " still lags: the primary helps out"));
    }
    steps.add(
        new Step(
            0.5,
            Lever.NO_LAG,
            late,
            another ? dead + " is dead" : "all well again",
            late + " keeps up again" + (another ? " and takes the reads" : "")));
    if (another) {
      steps.add(
          new Step(
              0.55,
              Lever.RESTART,
              dead,
              dead + " is back",
              dead + " was started: it gets reads when a probe has seen it"));
    }
    return new DemoPlan(List.copyOf(steps));
  }

  /** How long after the start a step is due. */
  static Duration due(Step step, Duration whole) {
    return Duration.ofNanos((long) (whole.toNanos() * step.at()));
  }
}
