package io.waymark.topology.routing;

import static java.util.Objects.requireNonNull;

import io.waymark.core.Outcome;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.TopologyClient;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says what a {@link ShardRouter} calls: first the shards, in one of three ways, then the call. Not
 * thread safe.
 *
 * @param <S> the type of what is called to reach a shard: a stub, a client, a connection pool
 */
public final class ShardTarget<S> {
  private @Nullable ShardSource<S> source;

  ShardTarget() {}

  /**
   * Numbered shards, {@code shard-0} and so on, of which as many are used as the backlog demands;
   * or, with a {@linkplain ShardRouterBuilder#sharding rule}, whatever it names.
   *
   * @param reach gives what is called to reach a shard of this name. Called for each push, on the
   *     caller's thread, by several at once: keep what is expensive. What it throws the caller gets
   */
  public ShardTarget<S> shards(Function<? super Shard, ? extends S> reach) {
    this.source = new ShardSource.Numbered<>(requireNonNull(reach, "reach"));
    return this;
  }

  /**
   * These shards, by name, all of them from the beginning.
   *
   * @throws IllegalArgumentException if there are none
   */
  public ShardTarget<S> shards(Map<String, ? extends S> stubs) {
    this.source = new ShardSource.Named<>(stubs);
    return this;
  }

  /**
   * The members of a group that get new work: its write set, as the client has it at each push.
   *
   * @param client stays the caller's to close
   * @param group the group's name
   * @param reach gives what is called to reach a member. Called once for each member, and again
   *     when its attributes or its state change; at first two callers may call it at once, and what
   *     one of them got is used
   */
  public ShardTarget<S> group(
      TopologyClient client, String group, Function<? super Member, ? extends S> reach) {
    return group(client, group, MemberRole.WRITE, reach);
  }

  /**
   * The members of a group that play this part: the write set, or the read set, which is the
   * draining ones too.
   *
   * @param client stays the caller's to close
   * @param group the group's name
   * @param role which members
   * @param reach gives what is called to reach a member
   */
  public ShardTarget<S> group(
      TopologyClient client,
      String group,
      MemberRole role,
      Function<? super Member, ? extends S> reach) {
    this.source =
        new GroupSource<>(
            requireNonNull(client, "client"),
            requireNonNull(group, "group"),
            requireNonNull(role, "role"),
            requireNonNull(reach, "reach"));
    return this;
  }

  /**
   * The call. It is made exactly once for each push, on the caller's thread; what it throws the
   * caller gets unchanged. Where the compiler has to be told what goes in, name the types: {@code
   * .invoke((Mailbox mailbox, List<Mail> mails) -> mailbox.enqueue(mails))}, or {@code
   * .invoke(Mailbox::enqueue)}.
   *
   * @param call whatever is uncertain (a failed commit, a lost connection, a timeout) is to be
   *     thrown, never to be returned as a rejection
   * @throws IllegalStateException if the shards have not been given
   */
  public <I, R> ShardRouterBuilder<S, I, R> invoke(
      BiFunction<? super S, ? super I, Outcome<R>> call) {
    ShardSource<S> shards = source;
    if (shards == null) {
      throw new IllegalStateException("say what the shards are first: shards(…) or group(…)");
    }
    return new ShardRouterBuilder<>(shards, requireNonNull(call, "call"));
  }
}
