package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a {@link WaymarkDataSourceBuilder}. Each method checks its value at once and
 * returns this builder; messages hold the replica's index. Not thread safe.
 */
public final class ReplicaBuilder {
  private final int index;
  private @Nullable String url;
  private @Nullable String name;
  private @Nullable Integer poolMax;
  private @Nullable String zone;
  private double weight =
      OptionText.positiveDecimal(
          PostgresOption.REPLICA_WEIGHT, PostgresOption.REPLICA_WEIGHT.defaultText());

  ReplicaBuilder(int index) {
    this.index = index;
  }

  /**
   * The replica's server. There is no default.
   *
   * @param url a {@code jdbc:postgresql:} URL with one host; it may hold credentials, which then
   *     win over the common ones, and is never shown
   * @throws OptionException if it is null, empty, no such URL, or names several hosts
   */
  public ReplicaBuilder url(String url) {
    EndpointUrl.parse(option(PostgresOption.REPLICA_URL), url);
    this.url = url;
    return this;
  }

  /**
   * The replica's share of reads under {@link Select#WEIGHTED}, relative to the other replicas; 1
   * by default.
   *
   * @throws OptionException if it is not positive and finite
   */
  public ReplicaBuilder weight(double weight) {
    this.weight = OptionValue.positive(option(PostgresOption.REPLICA_WEIGHT), weight);
    return this;
  }

  /**
   * The endpoint's name in reasons, metrics and messages; by default {@code replica-1} for the
   * first, numbered by place. Whether it is unique is checked when the configuration is complete.
   *
   * @throws OptionException if it is empty, longer than 128 characters, starts or ends with a
   *     space, or holds control characters
   */
  public ReplicaBuilder name(String name) {
    this.name = OptionValue.name(option(PostgresOption.REPLICA_NAME), name);
    return this;
  }

  /**
   * The most connections of this replica's pool; by default {@link WaymarkDataSourceBuilder#max}.
   *
   * @throws OptionException if it is less than 1
   */
  public ReplicaBuilder poolMax(int max) {
    this.poolMax = OptionValue.positive(option(PostgresOption.REPLICA_POOL_MAX), max);
    return this;
  }

  /**
   * Where the replica runs. Reads prefer replicas of the caller's zone, see {@link
   * RoutingBuilder#zone}; one without a zone counts as one of another, which is the default.
   *
   * @throws OptionException if it is empty, longer than 128 characters, starts or ends with a
   *     space, or holds control characters
   */
  public ReplicaBuilder zone(String zone) {
    this.zone = OptionValue.name(option(PostgresOption.REPLICA_ZONE), zone);
    return this;
  }

  /** Sets one option from its text. */
  void set(PostgresOption option, String text) {
    switch (option) {
      case REPLICA_URL -> url(text);
      case REPLICA_NAME -> name(text);
      case REPLICA_ZONE -> zone(text);
      case REPLICA_WEIGHT -> weight(OptionText.positiveDecimal(option(option), text));
      case REPLICA_POOL_MAX -> poolMax(OptionText.positiveInt(option(option), text));
      default -> throw new IllegalStateException(option + " is not an option of a replica");
    }
  }

  /** Throws if something that has no default was not given. */
  ReplicaBuilder complete() {
    if (url == null) {
      throw OptionException.missing(option(PostgresOption.REPLICA_URL));
    }
    return this;
  }

  EndpointConfig config(int max) {
    return new EndpointConfig(
        name == null ? "replica-" + (index + 1) : name,
        index + 1,
        Objects.requireNonNull(url),
        weight,
        poolMax == null ? max : poolMax,
        zone);
  }

  private Option option(PostgresOption option) {
    return option.at(index);
  }

  /** The index; nothing that may be a secret. */
  @Override
  public String toString() {
    return "ReplicaBuilder[" + index + "]";
  }
}
