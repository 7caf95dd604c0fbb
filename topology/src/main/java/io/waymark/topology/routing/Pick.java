package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A shard that was picked for one call, and the way to say what came of the call: exactly one of
 * {@link #answered}, {@link #failed} and {@link #abandoned}, once; what is said after that is
 * ignored. Until then the call counts as under way.
 *
 * <p>For one thread at a time.
 */
public sealed interface Pick permits WeighedPick, CompatiblePick, NamedPick {
  /** The shard's name. */
  String shard();

  /** Why it was picked. */
  RoutingReason reason();

  /**
   * The shard has answered, whether it accepted or rejected.
   *
   * @param load what it said of its load; null if it said nothing
   */
  void answered(@Nullable LoadSnapshot load);

  /** The call failed in a way that speaks against the shard: it may be down, or in trouble. */
  void failed();

  /** The call ended in a way that says nothing about the shard. */
  void abandoned();
}
