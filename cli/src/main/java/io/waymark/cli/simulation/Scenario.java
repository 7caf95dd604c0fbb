package io.waymark.cli.simulation;

/** What is simulated. */
public enum Scenario {
  /** Calls that never end. */
  BALLS_INTO_BINS("as many calls as members, none ends"),
  /** Queues. */
  SUPERMARKET("500 queues, two choices"),
  /** Load that was posted a while ago. */
  STALE_BOARDS("load is posted rarely and is old when it is read"),
  /** Members that are slow for a while. */
  SLOW_MEMBERS("3 of 16 members are slow, one of them moves on again and again"),
  /** Members that fail at once. */
  FAILING_MEMBERS("2 of 16 members fail every call at once"),
  /** A member that is new. */
  JOINING_MEMBER("a member joins 16 others"),
  /** Load that only one shard has. */
  HOT_SHARD("one shard's backlog stays, then all backlogs grow"),
  /** Members that come and go. */
  SUBSET_CHURN("members come and go under callers with a subset"),
  /** The rest of the reasons for the default policy. */
  SMALL_CASES("two members, bursts, and clocks that are late");

  private final String meaning;

  Scenario(String meaning) {
    this.meaning = meaning;
  }

  /** What happens in it. */
  public String meaning() {
    return meaning;
  }

  Findings run(Course course) {
    return switch (this) {
      case BALLS_INTO_BINS -> BallsIntoBins.run(course);
      case SUPERMARKET -> Supermarket.run(course);
      case STALE_BOARDS -> StaleBoards.run(course);
      case SLOW_MEMBERS -> SlowMembers.run(course);
      case FAILING_MEMBERS -> FailingMembers.run(course);
      case JOINING_MEMBER -> JoiningMember.run(course);
      case HOT_SHARD -> HotShard.run(course);
      case SUBSET_CHURN -> SubsetChurn.run(course);
      case SMALL_CASES -> SmallCases.run(course);
    };
  }
}
