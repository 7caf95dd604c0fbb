package io.waymark.topology.routing;

import io.waymark.core.OptionText;
import java.util.Optional;

/**
 * Which shard a push goes to, and where it would best be placed if it does not exist yet.
 * Immutable.
 *
 * @param name 1 to 256 characters, not blank, without control characters
 * @param locationHint handed to whoever finds or places the shard, and nothing else: it matters at
 *     the first placement only
 */
public record Shard(String name, Optional<String> locationHint) {
  private static final int LONGEST = 256;

  /**
   * @throws RoutingException WM2301 if no shard can have that name
   */
  public Shard {
    if (name.isBlank()) {
      throw refused(name, "it is empty");
    }
    if (name.length() > LONGEST) {
      throw refused(name, "it is longer than " + LONGEST + " characters");
    }
    if (!OptionText.isPlain(name)) {
      throw refused(name, "it holds control characters");
    }
  }

  /**
   * The shard of this name.
   *
   * @throws RoutingException WM2301 if no shard can have that name
   */
  public static Shard named(String name) {
    return new Shard(name, Optional.empty());
  }

  /** The same shard with a hint where to place it. */
  public Shard near(String locationHint) {
    return new Shard(name, Optional.of(locationHint));
  }

  private static RoutingException refused(String name, String why) {
    return new RoutingException(
        RoutingError.BAD_SHARD, OptionText.quote(name) + " cannot be a shard's name: " + why);
  }

  /** The name, with the hint if there is one: {@code acme near weur}. */
  @Override
  public String toString() {
    return locationHint.map(hint -> name + " near " + hint).orElse(name);
  }
}
