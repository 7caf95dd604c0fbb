package io.waymark.postgres;

import static java.util.Objects.requireNonNull;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link WaymarkDataSourceBuilder} will route reads. Each method checks its value at once and
 * returns this builder; the last value given counts. Not thread safe.
 */
public final class RoutingBuilder {
  private Duration probe =
      OptionText.waitTime(PostgresOption.ROUTING_PROBE, PostgresOption.ROUTING_PROBE.defaultText());
  private Select select =
      OptionText.choice(
          PostgresOption.ROUTING_SELECT,
          PostgresOption.ROUTING_SELECT.defaultText(),
          Select.BuiltIn.class);
  private Consistency consistency =
      OptionText.choice(
          PostgresOption.ROUTING_CONSISTENCY,
          PostgresOption.ROUTING_CONSISTENCY.defaultText(),
          Consistency.class);
  private Fallback fallback =
      OptionText.choice(
          PostgresOption.ROUTING_FALLBACK,
          PostgresOption.ROUTING_FALLBACK.defaultText(),
          Fallback.class);
  private @Nullable MaxLag maxLag;
  private @Nullable String zone;
  private Nudge nudge =
      OptionText.choice(
          PostgresOption.ROUTING_NUDGE, PostgresOption.ROUTING_NUDGE.defaultText(), Nudge.class);

  RoutingBuilder() {}

  /** How one of the replicas that may serve is picked; {@link Select#WEIGHTED} by default. */
  public RoutingBuilder select(Select select) {
    this.select = requireNonNull(select, "select");
    return this;
  }

  /**
   * Picks among two or more replicas that may serve with a function of the caller's, which must not
   * block; see {@link Select.Function}.
   */
  public RoutingBuilder select(Select.Function function) {
    return select(Select.by(requireNonNull(function, "function")));
  }

  /**
   * As {@link #select(Select)}, by name.
   *
   * @param text {@code weighted}, {@code roundRobin}, {@code leastConnections} or {@code
   *     latencyAware}
   * @throws OptionException if it is none of them
   */
  public RoutingBuilder select(String text) {
    return select(OptionText.choice(PostgresOption.ROUTING_SELECT, text, Select.BuiltIn.class));
  }

  /** What a read may miss; {@link Consistency#SESSION} by default. */
  public RoutingBuilder consistency(Consistency consistency) {
    this.consistency = requireNonNull(consistency, "consistency");
    return this;
  }

  /**
   * As {@link #consistency(Consistency)}, by name.
   *
   * @param text {@code session} or {@code eventual}
   * @throws OptionException if it is neither
   */
  public RoutingBuilder consistency(String text) {
    return consistency(
        OptionText.choice(PostgresOption.ROUTING_CONSISTENCY, text, Consistency.class));
  }

  /** What becomes of a read that no replica may serve; {@link Fallback#PRIMARY} by default. */
  public RoutingBuilder fallback(Fallback fallback) {
    this.fallback = requireNonNull(fallback, "fallback");
    return this;
  }

  /**
   * As {@link #fallback(Fallback)}, by name.
   *
   * @param text {@code primary} or {@code error}
   * @throws OptionException if it is neither
   */
  public RoutingBuilder fallback(String text) {
    return fallback(OptionText.choice(PostgresOption.ROUTING_FALLBACK, text, Fallback.class));
  }

  /**
   * How far behind the primary a replica may be and still serve; without a ceiling by default. A
   * replica whose lag is unknown does not serve.
   */
  public RoutingBuilder maxLag(MaxLag maxLag) {
    this.maxLag = requireNonNull(maxLag, "maxLag");
    return this;
  }

  /**
   * The ceiling by replay time; see {@link MaxLag.Time}.
   *
   * @param ceiling zero means that only a caught-up replica may serve
   * @throws OptionException if it is negative, or does not fit in 64 bits of nanoseconds
   */
  public RoutingBuilder maxLag(Duration ceiling) {
    return maxLag(new MaxLag.Time(ceiling));
  }

  /**
   * The ceiling as text, such as {@code 5s} or {@code 16MB}; see {@link MaxLag#parse}.
   *
   * @throws OptionException if the text is neither a duration nor a size, for example a number
   *     without a unit
   */
  public RoutingBuilder maxLag(String text) {
    return maxLag(MaxLag.parse(text));
  }

  /**
   * The ceiling by log that is not yet replayed; see {@link MaxLag.Bytes}.
   *
   * @param ceiling bytes; zero means that only a caught-up replica may serve
   * @throws OptionException if it is negative
   */
  public RoutingBuilder maxLagBytes(long ceiling) {
    return maxLag(new MaxLag.Bytes(ceiling));
  }

  /**
   * Where the caller runs. A read goes to a replica with the same {@link ReplicaBuilder#zone},
   * written alike, and to one of the others where none of that zone may serve it: because of its
   * circuit, position or lag, or because its pool is full. By default all replicas are equally
   * near.
   *
   * @throws OptionException if it is empty, longer than 128 characters, starts or ends with a
   *     space, or holds control characters
   */
  public RoutingBuilder zone(String zone) {
    this.zone = OptionValue.name(PostgresOption.ROUTING_ZONE, zone);
    return this;
  }

  /**
   * The interval between probes of one endpoint; one second by default.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public RoutingBuilder probe(Duration interval) {
    this.probe = OptionValue.waitTime(PostgresOption.ROUTING_PROBE, interval);
    return this;
  }

  /**
   * As {@link #probe(Duration)}, as text.
   *
   * @param text such as {@code 1s}, {@code 500ms} or {@code 1m}; a number without a unit is
   *     milliseconds
   * @throws OptionException if it is neither, not positive, or longer than 24 days
   */
  public RoutingBuilder probe(String text) {
    return probe(OptionText.waitTimeOrMillis(PostgresOption.ROUTING_PROBE, text));
  }

  /**
   * Whether the primary is made to flush log that other sessions have written and not committed,
   * when a read after an autocommit write would wait for it; {@link Nudge#OFF} by default.
   */
  public RoutingBuilder nudge(Nudge nudge) {
    this.nudge = requireNonNull(nudge, "nudge");
    return this;
  }

  /**
   * As {@link #nudge(Nudge)}, by name.
   *
   * @param text {@code on} or {@code off}
   * @throws OptionException if it is neither
   */
  public RoutingBuilder nudge(String text) {
    return nudge(OptionText.choice(PostgresOption.ROUTING_NUDGE, text, Nudge.class));
  }

  RoutingConfig config() {
    return new RoutingConfig(probe, select, consistency, fallback, maxLag, nudge, zone);
  }
}
