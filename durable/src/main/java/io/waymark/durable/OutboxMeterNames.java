package io.waymark.durable;

import io.waymark.core.Meters;

/**
 * The names of an outbox's meters and their tags. A name that is published keeps its meaning and
 * its tags.
 *
 * <table>
 * <caption>Pushed to {@link Meters}</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@value #ATTEMPT}</td><td>timer</td><td>channel, outcome</td></tr>
 * <tr><td>{@value #DELIVERY}</td><td>timer</td><td>channel</td></tr>
 * </table>
 *
 * <p>How much is pending is a state: read {@link Outbox#backlog()} when it is asked for.
 */
public final class OutboxMeterNames {
  /**
   * Time of one attempt. Tags: {@link #CHANNEL}; {@link #OUTCOME}, the text of the event's kind.
   */
  public static final String ATTEMPT = "waymark.outbox.attempt";

  /**
   * Time from staging to the arrival of a value, as the database's clock has it. Tag: {@link
   * #CHANNEL}.
   */
  public static final String DELIVERY = "waymark.outbox.delivery";

  /** Tag: the channel's name. */
  public static final String CHANNEL = "channel";

  /** Tag: what came of it, such as {@code delivered} or {@code timed-out}. */
  public static final String OUTCOME = "outcome";

  private OutboxMeterNames() {}
}
