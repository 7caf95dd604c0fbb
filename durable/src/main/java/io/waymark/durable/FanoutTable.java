package io.waymark.durable;

import io.waymark.durable.RowChange.What;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a fan-out, past any caller's transaction: each method is one short transaction.
 * Thread safe.
 */
final class FanoutTable {
  /** Those that never failed come first, each kind in the order in which it was accepted. */
  private static final Comparator<FanoutRow> ORDER =
      Comparator.comparing((FanoutRow row) -> row.attempt() > 1).thenComparing(FanoutRow::seq);

  /** How much is pending, and in how many rows that is counted. */
  record Backlog(long pending, long parts) {}

  private record Claimed(
      long seq,
      long message,
      int attempt,
      @Nullable String lastError,
      FanoutRow.@Nullable Dead dead) {}

  private final DurableStore store;
  private final FanoutSql sql;
  private final String owner;

  FanoutTable(DurableStore store, FanoutSql sql, String owner) {
    this.store = store;
    this.sql = sql;
    this.owner = owner;
  }

  // ---- names -----------------------------------------------------------------------------------

  /** The number of a fan-out. */
  long fanout(String name) {
    return store.withHandle(
        handle -> {
          Optional<Long> known = fanout(handle, name);
          if (known.isEmpty()) {
            handle.createUpdate(sql.newFanout).bind("name", name).execute();
            known = fanout(handle, name);
          }
          return known.orElseThrow();
        });
  }

  private Optional<Long> fanout(Handle handle, String name) {
    return handle.createQuery(sql.fanoutId).bind("name", name).mapTo(Long.class).findOne();
  }

  /** The numbers of all targets that a fan-out ever had, these included. */
  Map<String, Long> targets(long fanout, Collection<String> names) {
    return store.inTransaction(
        tx -> {
          Handle handle = tx.handle();
          Map<String, Long> known = targets(handle, fanout);
          for (String name : names) {
            if (!known.containsKey(name)) {
              int added =
                  handle
                      .createUpdate(sql.newTarget)
                      .bind("fanout", fanout)
                      .bind("name", name)
                      .execute();
              if (added > 0) {
                long id = Objects.requireNonNull(targets(handle, fanout).get(name));
                handle.execute(
                    "INSERT INTO "
                        + store.table("waymark_fanout_backlog")
                        + " (target, pending) VALUES (?, 0)",
                    id);
              }
            }
          }
          return targets(handle, fanout);
        });
  }

  private Map<String, Long> targets(Handle handle, long fanout) {
    Map<String, Long> targets = new LinkedHashMap<>();
    handle
        .createQuery(sql.targets)
        .bind("fanout", fanout)
        .map((row, context) -> Map.entry(row.getString("name"), row.getLong("id")))
        .forEach(each -> targets.put(each.getKey(), each.getValue()));
    return targets;
  }

  // ---- claims ----------------------------------------------------------------------------------

  /** Until the earliest row of a target is due. */
  Optional<Duration> untilDue(long target, boolean dead) {
    return store.withHandle(
        handle ->
            now(handle.createQuery(dead ? sql.untilDeadDue : sql.untilDue))
                .bind("target", target)
                .mapTo(Long.class)
                .findOne()
                .map(FanoutTable::duration));
  }

  /** Due rows of a target that nobody has locked, at most so many. */
  Optional<FanoutClaim> claim(long target, int most, long token, Duration lease) {
    return claim(sql.claim(most), target, token, lease);
  }

  /** The earliest due row that is meant for the dead letters of a target. */
  Optional<FanoutClaim> claimDead(long target, long token, Duration lease) {
    return claim(sql.claimDead, target, token, lease);
  }

  private Optional<FanoutClaim> claim(String text, long target, long token, Duration lease) {
    return store.withHandle(
        handle -> {
          List<Claimed> claimed =
              now(handle.createQuery(text))
                  .bind("target", target)
                  .bind("owner", owner)
                  .bind("token", token)
                  .bind("lease", StoreClock.micros(lease))
                  .map((row, context) -> claimed(row))
                  .list();
          return claimed.isEmpty()
              ? Optional.empty()
              : Optional.of(new FanoutClaim(token, withMessages(handle, claimed)));
        });
  }

  private static Claimed claimed(ResultSet row) throws SQLException {
    String reason = row.getString("dead_reason");
    return new Claimed(
        row.getLong("seq"),
        row.getLong("message"),
        row.getInt("attempts"),
        row.getString("last_error"),
        reason == null
            ? null
            : new FanoutRow.Dead(StoredMessage.Reason.valueOf(reason), row.getLong("dead_at")));
  }

  private List<FanoutRow> withMessages(Handle handle, List<Claimed> claimed) {
    Map<Long, Claimed> byMessage = new HashMap<>();
    claimed.forEach(each -> byMessage.put(each.message(), each));
    List<FanoutRow> rows =
        now(handle.createQuery(sql.messages))
            .bind("ids", ids(byMessage.keySet()))
            .map(
                (row, context) ->
                    joined(Objects.requireNonNull(byMessage.get(row.getLong("seq"))), row))
            .collect(Collectors.toCollection(ArrayList::new));
    rows.sort(ORDER);
    return rows;
  }

  private static FanoutRow joined(Claimed claimed, ResultSet message) throws SQLException {
    return new FanoutRow(
        claimed.seq(),
        claimed.message(),
        claimed.attempt(),
        message.getString("message_id"),
        message.getString("generation"),
        message.getString("body"),
        message.getLong("accepted_at"),
        duration(message.getLong("age")),
        claimed.lastError(),
        claimed.dead());
  }

  // ---- settling --------------------------------------------------------------------------------

  /**
   * Does with rows of one claim what the changes say, all or nothing.
   *
   * @return the numbers of those whose claim is somebody else's by now, or nobody's
   */
  Set<Long> settle(long target, long token, List<RowChange> changes) {
    return store.inTransaction(
        tx -> {
          Set<Long> mine = new HashSet<>();
          List<Long> removed = of(changes, What.REMOVE);
          if (!removed.isEmpty()) {
            mine.addAll(remove(tx.handle(), target, token, removed));
          }
          List<Long> back = of(changes, What.GIVE_BACK);
          if (!back.isEmpty()) {
            mine.addAll(list(mine(tx.handle().createQuery(sql.giveBack), token, back)));
          }
          for (RowChange change : changes) {
            mine.addAll(settleOne(tx.handle(), token, change));
          }
          Set<Long> lost = new HashSet<>();
          changes.forEach(each -> lost.add(each.row().seq()));
          lost.removeAll(mine);
          return lost;
        });
  }

  private static List<Long> of(List<RowChange> changes, What what) {
    return changes.stream()
        .filter(each -> each.what() == what)
        .map(each -> each.row().seq())
        .toList();
  }

  private List<Long> remove(Handle handle, long target, long token, List<Long> rows) {
    Map<Long, Long> removed = new HashMap<>();
    mine(handle.createQuery(sql.remove), token, rows)
        .map((row, context) -> Map.entry(row.getLong("seq"), row.getLong("message")))
        .forEach(each -> removed.put(each.getKey(), each.getValue()));
    if (!removed.isEmpty()) {
      String messages = ids(removed.values());
      handle.createUpdate(sql.settleMessages).bind("ids", messages).execute();
      handle.createUpdate(sql.removeMessages).bind("ids", messages).execute();
      handle
          .createUpdate(sql.countHere)
          .bind("target", target)
          .bind("change", (long) -removed.size())
          .execute();
    }
    return List.copyOf(removed.keySet());
  }

  private List<Long> settleOne(Handle handle, long token, RowChange change) {
    List<Long> row = List.of(change.row().seq());
    return switch (change.what()) {
      case REMOVE, GIVE_BACK -> List.of(); // done together
      case AGAIN ->
          list(
              mine(handle.createQuery(sql.again), token, row)
                  .bind("wait", StoreClock.micros(change.pause()))
                  .bind("error", change.error()));
      case DEAD ->
          list(
              mine(handle.createQuery(sql.dead), token, row)
                  .bind("reason", String.valueOf(change.reason()))
                  .bind("attempts", change.row().attempt())
                  .bind("error", change.error()));
    };
  }

  private static List<Long> list(Query query) {
    return query.map((row, context) -> row.getLong("seq")).list();
  }

  private Query mine(Query query, long token, List<Long> rows) {
    return now(query).bind("ids", ids(rows)).bind("owner", owner).bind("token", token);
  }

  /** Frees what an earlier process had claimed of a target. Only where this process is alone. */
  int release(long target, String process) {
    return store.withHandle(
        handle ->
            now(handle.createUpdate(sql.release))
                .bind("target", target)
                .bind("process", process + "%")
                .execute());
  }

  /**
   * Makes due what a clock that was set back would leave for long: its times mean nothing any more.
   *
   * @return how many
   */
  int repair(Collection<Long> targets, Duration slack) {
    return store.withHandle(
        handle -> {
          long later =
              now(handle.createQuery(sql.fromLater))
                  .bind("slack", StoreClock.micros(slack))
                  .mapTo(Long.class)
                  .one();
          int made = 0;
          if (later > 0) {
            for (long target : targets) {
              made += now(handle.createUpdate(sql.makeDue)).bind("target", target).execute();
            }
          }
          return made;
        });
  }

  // ---- for whoever asks ------------------------------------------------------------------------

  /** How many deliveries of a fan-out are not settled. */
  Backlog backlog(long fanout) {
    return store.withHandle(
        handle ->
            handle
                .createQuery(sql.backlog)
                .bind("fanout", fanout)
                .map((row, context) -> new Backlog(row.getLong("pending"), row.getLong("parts")))
                .one());
  }

  /** The same for each target that the fan-out ever had. */
  Map<String, Long> backlogByTarget(long fanout) {
    return store.withHandle(
        handle -> {
          Map<String, Long> backlog = new LinkedHashMap<>();
          handle
              .createQuery(sql.backlogRows)
              .bind("fanout", fanout)
              .map((row, context) -> Map.entry(row.getString("name"), row.getLong("pending")))
              .forEach(each -> backlog.put(each.getKey(), each.getValue()));
          return backlog;
        });
  }

  /** PostgreSQL: counts in one row what is counted in several, but for those that are held. */
  void fold(long target) {
    store.withHandle(handle -> handle.createUpdate(sql.fold).bind("target", target).execute());
  }

  /** Deliveries of a target in the order of their numbers. */
  List<DeliveryStatus> deliveries(long target, String name, long after, int most) {
    return store.withHandle(
        handle ->
            now(handle.createQuery(sql.deliveries))
                .bind("target", target)
                .bind("after", after)
                .bind("most", most)
                .map((row, context) -> DeliveryStatus.of(name, row))
                .list());
  }

  /** A list of numbers as the statements take it. */
  String ids(Collection<Long> numbers) {
    return ids(store.dialect(), numbers);
  }

  static String ids(Dialect dialect, Collection<Long> numbers) {
    boolean postgres = dialect == Dialect.POSTGRES;
    return numbers.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(",", postgres ? "{" : "[", postgres ? "}" : "]"));
  }

  private <S extends SqlStatement<S>> S now(S statement) {
    return statement.bind("now", store.clock().micros().getAsLong());
  }

  private static Duration duration(long micros) {
    return Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
  }
}
