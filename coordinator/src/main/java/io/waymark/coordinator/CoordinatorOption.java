package io.waymark.coordinator;

import io.waymark.core.Option;

/**
 * The options of a {@link TopologyCoordinator} that have a text form: the one source for their
 * paths, their defaults, the messages about them and their documentation.
 */
public enum CoordinatorOption implements Option {
  /** See {@link TopologyCoordinatorBuilder#publishConcurrency}. */
  PUBLISH_CONCURRENCY(
      "publishConcurrency",
      "8",
      "a whole number from 1 to 1000",
      "How many groups this process publishes at once. With 1 its publications never overlap, except"
          + " with one that ran out of time and goes on against its interrupt.",
      "One slow group must not hold up the others.",
      Tier.FREQUENT),
  /** See {@link TopologyCoordinatorBuilder#attemptTimeout}. */
  ATTEMPT_TIMEOUT(
      "attemptTimeout",
      "30s",
      Words.DURATION,
      "How long one attempt to publish may take.",
      "A store that is busy is waited for, one that is silent is not.",
      Tier.FREQUENT),
  /** See {@link TopologyCoordinatorBuilder#publishWait}. */
  PUBLISH_WAIT(
      "publishWait",
      "",
      Words.DURATION_OR_ZERO,
      "How long `update` waits after its commit to tell whether the group is published; as long as"
          + " `attemptTimeout` unless it is given, and not at all with `leavePublishing`.",
      "Then `published` is the word of one whole attempt.",
      Tier.FREQUENT),
  /** See {@link TopologyCoordinatorBuilder#confirmJoining}. */
  CONFIRM_JOINING(
      "confirmJoining",
      "off",
      Words.SWITCH,
      "A joining member becomes active once it has confirmed the values of all states of its group.",
      "Off: who adds a member says what it is.",
      Tier.FREQUENT),
  /** See {@link TopologyCoordinatorBuilder#removeWhenEmpty(java.time.Duration)}. */
  REMOVE_WHEN_EMPTY(
      "removeWhenEmpty",
      "off",
      "\"off\", \"on\" for a minute, or a duration up to 60m",
      "A draining member is removed by its second report that it is empty, if that comes so much"
          + " later than the first.",
      "Off: members leave when an update omits them.",
      Tier.FREQUENT),
  /** See {@link TopologyCoordinatorBuilder#authority}. */
  AUTHORITY(
      "authority",
      "",
      "at most 128 characters, no control characters, no white space around them",
      "As whom stamps are issued. No two databases may use the same; a random name that is stored in"
          + " the database unless it is given.",
      "A random name is nobody else's.",
      Tier.RARE),
  /** See {@link TopologyCoordinatorBuilder#backoff}. */
  BACKOFF_FIRST(
      "backoff.first",
      "1s",
      "a duration from 1ms to 1440m",
      "How long to wait after the first failure to publish; doubled with each further one.",
      "A store that restarts is back within seconds.",
      Tier.RARE),
  /** See {@link TopologyCoordinatorBuilder#backoff}. */
  BACKOFF_LONGEST(
      "backoff.longest",
      "5m",
      "a duration from `backoff.first` to 1440m",
      "How long to wait at most.",
      "A store that is down for long is not asked all the time.",
      Tier.RARE),
  /** See {@link TopologyCoordinatorBuilder#sweepInterval}. */
  SWEEP_INTERVAL(
      "sweepInterval",
      "5m",
      "a duration from 1s to 60m",
      "How often the store is compared with the database, so that what it forgot is published again.",
      "A store that restarts says so; this is for what nobody noticed.",
      Tier.RARE),
  /** See {@link TopologyCoordinatorBuilder#leavePublishing}. */
  LEAVE_PUBLISHING(
      "leavePublishing",
      "off",
      Words.SWITCH,
      "Stages and neither publishes nor delivers, and needs no publisher: for an operator's tool"
          + " beside the service.",
      "Off: somebody must.",
      Tier.RARE);

  private final String path;
  private final String defaultText;
  private final String accepted;
  private final String description;
  private final String reason;
  private final Tier tier;

  CoordinatorOption(
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
    static final String DURATION = "a duration from 1ms to 60m";
    static final String DURATION_OR_ZERO = "a duration up to 60m, or \"0s\" to not wait";
    static final String SWITCH = "\"on\" or \"off\"";

    private Words() {}
  }
}
