package io.waymark.topology.routing;

import io.waymark.core.Option;

/**
 * The options of a {@link ShardPicker} and so of a {@link ShardRouter}: the one source for their
 * paths in text form, their defaults, the messages about them and their documentation. But for
 * {@link #POLICY}, {@link #SOFT_BACKLOG_LIMIT} and {@link #OBSERVATIONS} they are the improved
 * policy's.
 */
public enum RoutingOption implements Option {
  /** See {@link ShardPickerBuilder#policy}. */
  POLICY(
      "policy",
      "improved",
      "\"improved\" or \"compatible\"",
      "How a shard is chosen where there is no rule of the application's.",
      "The published design has known weaknesses; each difference has its reason in the docs.",
      Tier.FREQUENT),
  /** See {@link ShardPickerBuilder#softBacklogLimit}. */
  SOFT_BACKLOG_LIMIT(
      "softBacklogLimit",
      "1000",
      Words.POSITIVE,
      "The backlog of a shard above which more shards are used.",
      "That of the published design.",
      Tier.FREQUENT),
  /** See {@link ShardPickerBuilder#subset}. */
  SUBSET(
      "subset",
      "0",
      "a whole number, or \"0\" for all members",
      "How many of a group's members this process uses, chosen by rendezvous hashing of its id.",
      "Off: with few members all are better. With many processes and many members, 8 to 20.",
      Tier.FREQUENT),
  /** See {@link ShardPickerBuilder#slowStart}. */
  SLOW_START(
      "slowStart",
      "10s",
      Words.DURATION_OR_ZERO,
      "How long a shard that is new or was left out takes less than its share, from its first"
          + " success on.",
      "Caches and connections fill within seconds.",
      Tier.FREQUENT),
  /** See {@link ShardPickerBuilder#startWidth}. */
  WIDTH_START(
      "width.start",
      "2",
      Words.POSITIVE,
      "How many numbered shards are used at first.",
      "Of one there is no choice, and all processes that restart would meet at it.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#minWidth}. */
  WIDTH_MIN(
      "width.min",
      "1",
      Words.POSITIVE,
      "How many numbered shards are used at least.",
      "As in the published design.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#maxWidth}. */
  WIDTH_MAX(
      "width.max",
      "64",
      Words.POSITIVE,
      "How many numbered shards are used at most.",
      "A backlog that nothing drains would otherwise add shards for ever.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#widenAfter}. */
  WIDEN_AFTER(
      "width.widenAfter",
      "1s",
      Words.DURATION,
      "The shortest time between a change of the width and a further shard.",
      "That of the published design.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#narrowAfter}. */
  NARROW_AFTER(
      "width.narrowAfter",
      "60s",
      Words.DURATION,
      "The shortest time between a change of the width and one shard less.",
      "That of the published design.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#failuresToEject}. */
  EJECTION_FAILURES(
      "ejection.failures",
      "5",
      Words.POSITIVE,
      "How many failed calls in a row leave a shard out.",
      "As Envoy, Finagle and Prequal have it: a tenth of failing calls everywhere ejects next to"
          + " nobody.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#maxEjected}. */
  EJECTION_MAX(
      "ejection.max",
      "0.5",
      "a number above 0 and up to 1",
      "Which part of the shards is left out at most, rounded down, and never the last one.",
      "Where more than half fail, the fault is likely elsewhere, and few would drown.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#trialAfter}. */
  EJECTION_TRIAL_AFTER(
      "ejection.trialAfter",
      "1s",
      Words.DURATION,
      "Half of the time until a shard that was left out is tried for the first time; the time"
          + " doubles with each trial that fails, up to 30 seconds.",
      "A restart takes seconds.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#failureCost}. */
  FAILURE_COST(
      "failureCost",
      "1s",
      Words.DURATION_OR_ZERO,
      "How long a failed call counts as if it were still under way, fading.",
      "About as long as a timeout: who fails at once must not look fast.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#window}. */
  WINDOW(
      "window",
      "60s",
      Words.DURATION,
      "How long a shard's backlog is believed, fading, by this process's monotonic clock.",
      "What shards count over.",
      Tier.RARE),
  /** See {@link ShardPickerBuilder#observations}. */
  OBSERVATIONS(
      "observations",
      "1024",
      Words.POSITIVE,
      "Of how many shards loads are kept where a rule of the application's names them.",
      "That of the published design.",
      Tier.RARE);

  private final String path;
  private final String defaultText;
  private final String accepted;
  private final String description;
  private final String reason;
  private final Tier tier;

  RoutingOption(
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
    static final String POSITIVE = "a whole number of at least 1";
    static final String DURATION = "a positive duration (\"30s\", \"500ms\", \"5m\")";
    static final String DURATION_OR_ZERO = "a duration (\"5m\", \"30s\"), or \"0s\" for none";

    private Words() {}
  }
}
