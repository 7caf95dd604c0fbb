package io.waymark.durable;

import io.waymark.core.Meters;

/**
 * The names of a fan-out's meters and their tags. A name that is published keeps its meaning and
 * its tags.
 *
 * <table>
 * <caption>Pushed to {@link Meters}</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@value #ATTEMPT}</td><td>timer</td><td>fanout, target, outcome</td></tr>
 * <tr><td>{@value #DELIVERY}</td><td>timer</td><td>fanout, target</td></tr>
 * </table>
 *
 * <p>How much is pending is a state: read {@link Fanout#backlog()} when it is asked for.
 */
public final class FanoutMeterNames {
  /**
   * Time from the start of an attempt until one of its messages was settled. Tags: {@link #FANOUT};
   * {@link #TARGET}; {@link #OUTCOME}, the text of the event's kind.
   */
  public static final String ATTEMPT = "waymark.fanout.attempt";

  /**
   * Time from the acceptance of a message to its delivery, as the store's clock has it. Tags:
   * {@link #FANOUT}, {@link #TARGET}.
   */
  public static final String DELIVERY = "waymark.fanout.delivery";

  /** Tag: the fan-out's name. */
  public static final String FANOUT = "fanout";

  /** Tag: the target. */
  public static final String TARGET = "target";

  /** Tag: what came of it, such as {@code delivered} or {@code timed-out}. */
  public static final String OUTCOME = "outcome";

  private FanoutMeterNames() {}
}
