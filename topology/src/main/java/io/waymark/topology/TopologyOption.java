package io.waymark.topology;

import io.waymark.core.Option;

/**
 * The options of a {@link TopologyClient}: the one source for their paths in text form, their
 * defaults, the messages about them and their documentation.
 */
public enum TopologyOption implements Option {
  /** See {@link TopologyClientBuilder#ttl}. */
  TTL(
      "ttl",
      "30s",
      Words.DURATION,
      "How long a snapshot is served before it is read again; spread by ±20 % for each read.",
      "Membership changes rarely, and a push, where the store has one, is not bound by it.",
      Tier.FREQUENT),
  /** See {@link TopologyClientBuilder#staleIfError}. */
  STALE_IF_ERROR(
      "staleIfError",
      "0s",
      Words.DURATION_OR_ZERO,
      "How long after its expiry the last good snapshot is served while the store fails. Never for"
          + " a group that is missing or deleted.",
      "Every fallback is opt-in: how old is too old only the application knows.",
      Tier.FREQUENT),
  /** See {@link TopologyClientBuilder#negativeTtl}. */
  NEGATIVE_TTL(
      "negativeTtl",
      "5s",
      Words.DURATION,
      "How long the store is left alone about a group after it was missing there or the read"
          + " failed; up to a fifth longer.",
      "Long enough that a thousand failing callers are one read, short enough to recover soon.",
      Tier.RARE),
  /** See {@link TopologyClientBuilder#readTimeout}. */
  READ_TIMEOUT(
      "readTimeout",
      "1s",
      Words.DURATION,
      "How long a read may take.",
      "A store in the same place answers in milliseconds.",
      Tier.RARE),
  /** See {@link TopologyClientBuilder#refreshAhead}. */
  REFRESH_AHEAD(
      "refreshAhead",
      "0s",
      Words.DURATION_OR_ZERO,
      "How long before its expiry a snapshot that is asked for is read again in the background, so"
          + " that no caller waits for it. Less than four fifths of `ttl`.",
      "Off: then a fresh snapshot costs the store nothing.",
      Tier.RARE),
  /** See {@link TopologyClientBuilder#maxGroups}. */
  MAX_GROUPS(
      "maxGroups",
      "10000",
      Words.POSITIVE,
      "How many groups are kept.",
      "Some ten megabytes with a few members each.",
      Tier.RARE),
  /** See {@link TopologyClientBuilder#highWaterGroups}. */
  HIGH_WATER_GROUPS(
      "highWaterGroups",
      "100000",
      Words.POSITIVE,
      "Of how many groups the highest stamp is remembered, also when the group itself is not kept"
          + " any more.",
      "A stamp is small, and forgetting it would let an older snapshot in.",
      Tier.RARE);

  private final String path;
  private final String defaultText;
  private final String accepted;
  private final String description;
  private final String reason;
  private final Tier tier;

  TopologyOption(
      String path,
      String defaultText,
      String accepted,
      String description,
      String reason,
      Tier tier) {
    this.path = path;
    this.defaultText = defaultText;
    this.accepted = accepted;
    this.description = description;
    this.reason = reason;
    this.tier = tier;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public String defaultText() {
    return defaultText;
  }

  @Override
  public String accepted() {
    return accepted;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public Tier tier() {
    return tier;
  }

  @Override
  public boolean secret() {
    return false;
  }

  private static final class Words {
    static final String DURATION = "a positive duration (\"30s\", \"500ms\", \"5m\")";
    static final String DURATION_OR_ZERO = "a duration (\"5m\", \"30s\"), or \"0s\" for none";
    static final String POSITIVE = "a whole number of at least 1";

    private Words() {}
  }
}
