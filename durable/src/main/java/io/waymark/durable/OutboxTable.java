package io.waymark.durable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the outbox, past any caller's transaction: each method is one short transaction.
 * Thread safe.
 */
final class OutboxTable {
  /**
   * A row that this process may deliver until its lease ends.
   *
   * @param token makes this claim of the owner's different from all others
   * @param payload nothing if it was cancelled while an attempt was under way that died
   * @param attempt counts the attempts at this value, from 1
   * @param age since the value was staged
   */
  record Claim(
      String channel,
      String key,
      long version,
      @Nullable String payload,
      int attempt,
      long token,
      Duration age) {}

  private final DurableStore store;
  private final OutboxSql sql;
  private final String owner;

  OutboxTable(DurableStore store, OutboxSql sql, String owner) {
    this.store = store;
    this.sql = sql;
    this.owner = owner;
  }

  /** The earliest due row of a channel that nobody has locked. */
  Optional<Claim> claim(String channel, long token, Duration lease) {
    return store.withHandle(
        handle ->
            now(handle.createQuery(sql.claim))
                .bind("channel", channel)
                .bind("owner", owner)
                .bind("token", token)
                .bind("lease", StoreClock.micros(lease))
                .map(
                    (row, context) ->
                        new Claim(
                            channel,
                            row.getString("item_key"),
                            row.getLong("version"),
                            row.getString("payload"),
                            row.getInt("attempts"),
                            token,
                            duration(row.getLong("age"))))
                .findOne());
  }

  /** The claimed value arrived. */
  Settled delivered(Claim claim) {
    return settle(claim, sql.delivered, null, Duration.ZERO, 0);
  }

  /**
   * The claimed value shall be delivered again.
   *
   * @param error what failed; nothing if nothing did
   * @param attempts what to count up from next time
   */
  Settled again(Claim claim, @Nullable String error, Duration wait, int attempts) {
    return settle(claim, sql.again, error, wait, attempts);
  }

  private Settled settle(
      Claim claim, String text, @Nullable String error, Duration wait, int attempts) {
    return store.withHandle(
        handle -> {
          Optional<Settled> settled =
              now(mine(handle.createQuery(text), claim))
                  .bind("version", claim.version())
                  .bind("error", error)
                  .bind("wait", StoreClock.micros(wait))
                  .bind("attempts", attempts)
                  .map((row, c) -> row.getObject("due_at") == null ? Settled.DONE : Settled.PENDING)
                  .findOne();
          return settled.orElseGet(
              () ->
                  mine(handle.createQuery(sql.claimOf), claim).mapTo(Integer.class).one() > 0
                      ? Settled.LOCKED
                      : Settled.LOST);
        });
  }

  private Query mine(Query query, Claim claim) {
    return query
        .bind("channel", claim.channel())
        .bind("key", claim.key())
        .bind("owner", owner)
        .bind("token", claim.token());
  }

  /**
   * Nanoseconds until the earliest row of the channel is due, claimed ones at their lease's end.
   */
  Optional<Duration> untilDue(String channel) {
    return store.withHandle(
        handle ->
            now(handle.createQuery(sql.untilDue))
                .bind("channel", channel)
                .mapTo(Long.class)
                .findOne()
                .map(OutboxTable::duration));
  }

  /** Frees what an earlier process had claimed. Only where this process is alone. */
  int releaseAll() {
    return store.withHandle(handle -> now(handle.createUpdate(sql.releaseAll)).execute());
  }

  /**
   * Removes rows that have been settled for some time.
   *
   * @param below only versions below this, a {@link VersionHorizon}
   * @param most how many rows at most
   * @return how many were removed
   */
  int sweep(Duration keep, long below, int most) {
    return store.withHandle(
        handle -> {
          int removed = 0;
          for (String channel : handle.createQuery(sql.channels).mapTo(String.class).list()) {
            removed +=
                now(handle.createUpdate(sql.sweep))
                    .bind("channel", channel)
                    .bind("keep", StoreClock.micros(keep))
                    .bind("below", below)
                    .bind("most", most - removed)
                    .execute();
          }
          return removed;
        });
  }

  /** PostgreSQL: a version later than all that were drawn before. */
  long drawVersion() {
    return store.withHandle(handle -> handle.createQuery(sql.drawVersion).mapTo(Long.class).one());
  }

  /** PostgreSQL: the transactions that have begun to write to the table and have not ended. */
  Set<String> writers() {
    return store.withHandle(
        handle -> Set.copyOf(handle.createQuery(sql.writers).mapTo(String.class).list()));
  }

  /** Makes rows due that a clock which was set back would leave for long; returns how many. */
  int repair(Duration slack) {
    return store.withHandle(
        handle ->
            now(handle.createUpdate(sql.repair)).bind("slack", StoreClock.micros(slack)).execute());
  }

  /** One row, whether pending or settled. */
  Optional<ItemStatus> find(String channel, String key) {
    return store.withHandle(
        handle ->
            now(handle.createQuery(sql.find))
                .bind("channel", channel)
                .bind("key", key)
                .map((row, context) -> ItemStatus.of(row))
                .findOne());
  }

  /** Pending rows of a channel in the order of their keys. */
  List<ItemStatus> pending(String channel, String after, int most) {
    return store.withHandle(
        handle ->
            now(handle.createQuery(sql.pending))
                .bind("channel", channel)
                .bind("after", after)
                .bind("most", most)
                .map((row, context) -> ItemStatus.of(row))
                .list());
  }

  /** What is pending, by channel. */
  List<ChannelBacklog> backlog() {
    return store.withHandle(
        handle ->
            now(handle.createQuery(sql.backlog))
                .map(
                    (row, context) ->
                        new ChannelBacklog(
                            row.getString("channel"),
                            row.getLong("pending"),
                            row.getLong("failing"),
                            duration(row.getLong("oldest"))))
                .list());
  }

  private <S extends SqlStatement<S>> S now(S statement) {
    return statement.bind("now", store.clock().micros().getAsLong());
  }

  private static Duration duration(long micros) {
    return Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
  }
}
