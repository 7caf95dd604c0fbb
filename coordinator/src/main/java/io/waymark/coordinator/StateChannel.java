package io.waymark.coordinator;

import io.waymark.core.Backoff;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.durable.Codec;
import io.waymark.durable.DeliveryOptions;
import io.waymark.topology.MemberRole;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A kind of value that every member of a group in one role must hold, such as its limits. A group
 * has one value of it, or none. Immutable.
 *
 * @param <T> the type of the values; stored as JSON by Jackson's rules
 */
public final class StateChannel<T> {
  /** How long a value may be as JSON, in characters. */
  public static final int LONGEST_VALUE = 1 << 20;

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private final String name;
  private final Codec<T> codec;
  private final MemberRole members;
  private final StateDelivery<? super T> delivery;
  private final Builder<T> options;

  private StateChannel(Builder<T> builder, StateDelivery<? super T> delivery) {
    this.name = builder.name;
    this.codec = builder.codec;
    this.members = builder.members;
    this.delivery = delivery;
    this.options = builder;
  }

  /**
   * Configures a channel.
   *
   * @param name lower-case letters, digits, dots, {@code _} and {@code -}; at most 64
   * @throws OptionException if the name cannot be used
   */
  public static <T> Builder<T> of(String name, Class<T> type) {
    if (!NAME.matcher(name).matches()) {
      throw new OptionException(
          "the name of a state cannot be "
              + OptionText.quote(name)
              + ". Accepted: at most 64 lower-case letters, digits, dots, _ and -.");
    }
    return new Builder<>(name, Codec.json(type));
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** Who gets its values. */
  public MemberRole members() {
    return members;
  }

  String encode(T value) {
    String json = CanonicalJson.of(codec.encode(Objects.requireNonNull(value, "value")));
    if (json.length() > LONGEST_VALUE) {
      throw new IllegalArgumentException(
          "a value of state "
              + name
              + " has "
              + json.length()
              + " characters as JSON; at most "
              + LONGEST_VALUE
              + " are accepted");
    }
    return json;
  }

  T decode(String json) {
    return codec.decode(json);
  }

  StateDelivery<? super T> delivery() {
    return delivery;
  }

  void configure(DeliveryOptions chosen) {
    chosen
        .attemptTimeout(options.attemptTimeout)
        .concurrency(options.concurrency)
        .backoff(options.backoff);
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * Options of a {@link StateChannel}. Not thread safe. What cannot be used is refused when the
   * coordinator is built.
   *
   * @param <T> the type of the values
   */
  public static final class Builder<T> {
    private final String name;
    private final Codec<T> codec;
    private MemberRole members = MemberRole.WRITE;
    private Duration attemptTimeout = Duration.ofSeconds(30);
    private int concurrency = 8;
    private Backoff backoff = Backoff.DEFAULT;

    private Builder(String name, Codec<T> codec) {
      this.name = name;
      this.codec = codec;
    }

    /** Who gets its values; those in the write set by default. */
    public Builder<T> members(MemberRole role) {
      this.members = Objects.requireNonNull(role, "role");
      return this;
    }

    /**
     * How long one delivery may take; 30 s by default.
     *
     * @param limit 1 ms to an hour
     */
    public Builder<T> attemptTimeout(Duration limit) {
      this.attemptTimeout = Objects.requireNonNull(limit, "limit");
      return this;
    }

    /**
     * How many members this process delivers to at once; 8 by default. One member is delivered to
     * by one attempt at a time whatever this says.
     *
     * @param members 1 to 1,000
     */
    public Builder<T> concurrency(int members) {
      this.concurrency = members;
      return this;
    }

    /** How long to wait after failures; {@link Backoff#DEFAULT} by default. */
    public Builder<T> backoff(Backoff backoff) {
      this.backoff = Objects.requireNonNull(backoff, "backoff");
      return this;
    }

    /** The channel, with what brings a value to a member. */
    public StateChannel<T> deliver(StateDelivery<? super T> delivery) {
      Builder<T> copy = new Builder<>(name, codec);
      copy.members = members;
      copy.attemptTimeout = attemptTimeout;
      copy.concurrency = concurrency;
      copy.backoff = backoff;
      return new StateChannel<>(copy, Objects.requireNonNull(delivery, "delivery"));
    }
  }
}
