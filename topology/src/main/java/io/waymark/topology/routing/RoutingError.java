package io.waymark.topology.routing;

/** The router's errors, with their stable codes. The code stands at the start of a message. */
public enum RoutingError {
  /** The application's rule gave no shard that can be used. */
  BAD_SHARD(
      2301,
      true,
      "What was to be the shard of a push cannot be one. No shard was called.",
      "Let the rule return a shard for every input; its name has 1 to 256 characters without control"
          + " characters, and where the shards are listed it is one of them."),
  /** Nobody may take the push. */
  NO_SHARD(
      2302,
      true,
      "No member of the group takes pushes now. No shard was called.",
      "Add or activate a member; joining members take none, and draining ones take none but from a"
          + " router over the read set.");

  private final int number;
  private final boolean safeToRetry;
  private final String meaning;
  private final String remedy;

  RoutingError(int number, boolean safeToRetry, String meaning, String remedy) {
    this.number = number;
    this.safeToRetry = safeToRetry;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The stable code, such as {@code WM2301}. */
  public String code() {
    return "WM" + number;
  }

  /** Whether the same call may be made again without anything being done twice. */
  public boolean safeToRetry() {
    return safeToRetry;
  }

  /** What it means, in one or two sentences. */
  public String meaning() {
    return meaning;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }
}
