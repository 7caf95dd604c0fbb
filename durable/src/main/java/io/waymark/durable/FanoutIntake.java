package io.waymark.durable;

import io.waymark.core.OptionException;
import java.io.Serial;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes batches of messages into a caller's transaction, with plain JDBC on his connection. A
 * batch that is refused leaves nothing behind in the transaction. Thread safe.
 */
final class FanoutIntake<T> {
  private static final int TRIES = 10;

  /** A batch was refused, and nothing of it is written. */
  static final class Refused extends Exception {
    @Serial private static final long serialVersionUID = 1;

    private final StoreError error;

    Refused(StoreError error, String message) {
      super(message, null, false, false);
      this.error = error;
    }

    StoreError error() {
      return error;
    }

    String message() {
      return String.valueOf(getMessage());
    }
  }

  /** A message as it is stored. */
  private record Entry(String key, String id, String body) {}

  /**
   * A batch that was looked at before anything is written: entries by key, ids as they were given.
   */
  record Batch(Map<String, Entry> entries, List<String> ids, List<Long> targets) {
    String targetsText() {
      return targets.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  private final DurableStore store;
  private final FanoutSql sql;
  private final long fanout;

  /** What is configured, by name. */
  private final Map<String, Long> targets;

  /** How long new messages wait, by the target's number, in microseconds. */
  private final Map<Long, Long> delays;

  private final Function<T, String> encoder;

  FanoutIntake(
      DurableStore store,
      FanoutSql sql,
      long fanout,
      Map<String, Long> targets,
      Map<Long, Long> delays,
      Function<T, String> encoder) {
    this.store = store;
    this.sql = sql;
    this.fanout = fanout;
    this.targets = Map.copyOf(targets);
    this.delays = Map.copyOf(delays);
    this.encoder = encoder;
  }

  // ---- before anything is written --------------------------------------------------------------

  Batch check(Collection<FanoutMessage<T>> messages, Collection<String> names) throws Refused {
    List<Long> chosen = chosen(names);
    Map<String, Entry> entries = new LinkedHashMap<>();
    List<String> ids = new ArrayList<>(messages.size());
    for (FanoutMessage<T> message : messages) {
      Entry entry = entry(message);
      Entry before = entries.putIfAbsent(entry.key(), entry);
      if (before != null && !before.equals(entry)) {
        throw new Refused(
            StoreError.CONFLICT,
            "the batch has two messages with the deduplication key \""
                + entry.key()
                + "\" that differ; give each a key of its own");
      }
      ids.add(entry.id());
    }
    return new Batch(entries, ids, chosen);
  }

  private List<Long> chosen(Collection<String> names) throws Refused {
    if (names.isEmpty()) {
      throw refused("no target was named; name at least one of " + new TreeSet<>(targets.keySet()));
    }
    Set<Long> chosen = new TreeSet<>(); // one order for all, which is the order of locks, too
    for (String name : names) {
      Long target = targets.get(name);
      if (target == null) {
        throw refused(
            "there is no target \"" + name + "\"; there are " + new TreeSet<>(targets.keySet()));
      }
      if (!chosen.add(target)) {
        throw refused("target \"" + name + "\" was named twice");
      }
    }
    return List.copyOf(chosen);
  }

  private Entry entry(FanoutMessage<T> message) throws Refused {
    try {
      return new Entry(
          Channel.checkedKey(message.deduplicationKey()),
          Channel.checkedKey(message.id()),
          encoded(message));
    } catch (OptionException e) {
      throw refused("an id or a deduplication key cannot be used: " + e.getMessage());
    } catch (RuntimeException | StackOverflowError e) {
      throw refused("message \"" + message.id() + "\" cannot be encoded: " + Failures.said(e));
    }
  }

  private String encoded(FanoutMessage<T> message) {
    String text = encoder.apply(message.body());
    if (!Channel.isStorable(text)) {
      throw new IllegalArgumentException("the encoded body must be text without NUL");
    }
    return text;
  }

  private static Refused refused(String message) {
    return new Refused(StoreError.REFUSED, message);
  }

  // ---- writing ---------------------------------------------------------------------------------

  /**
   * Writes a batch, or leaves nothing of it.
   *
   * @param alone whether the transaction does nothing else, and ends at once
   */
  void write(Connection connection, Batch batch, boolean alone) throws SQLException, Refused {
    Map<String, Long> numbers = new HashMap<>();
    try {
      Map<String, Entry> left = new LinkedHashMap<>(batch.entries());
      for (int i = 0; !left.isEmpty(); i++) {
        if (i == TRIES) {
          throw new SQLException(
              "messages with the same keys were accepted and settled again and again meanwhile");
        }
        insert(connection, batch, left.values(), numbers);
        left.keySet().removeAll(numbers.keySet());
        leaveOutWhatIsThere(connection, batch, left);
      }
    } catch (Refused e) {
      if (!numbers.isEmpty()) {
        takeBack(connection, numbers.values());
      }
      throw e;
    }
    if (!numbers.isEmpty()) {
      deliveries(connection, batch, numbers);
      count(connection, alone ? sql.countAccepted : sql.count, batch.targets(), numbers.size());
    }
  }

  private void insert(
      Connection connection, Batch batch, Collection<Entry> entries, Map<String, Long> numbers)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.message)) {
      statement.setLong(1, fanout);
      statement.setInt(2, batch.targets().size());
      statement.setString(3, batch.targetsText());
      if (store.dialect() == Dialect.POSTGRES) {
        statement.setArray(4, texts(connection, entries, Entry::key));
        statement.setArray(5, texts(connection, entries, Entry::id));
        statement.setArray(6, texts(connection, entries, entry -> generation()));
        statement.setArray(7, texts(connection, entries, Entry::body));
        numbers(statement, numbers);
      } else {
        statement.setLong(8, store.clock().micros().getAsLong());
        for (Entry entry : entries) {
          statement.setString(4, entry.key());
          statement.setString(5, entry.id());
          statement.setString(6, generation());
          statement.setString(7, entry.body());
          numbers(statement, numbers);
        }
      }
    }
  }

  private static String generation() {
    return UUID.randomUUID().toString();
  }

  private static void numbers(PreparedStatement statement, Map<String, Long> numbers)
      throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        numbers.put(rows.getString(2), rows.getLong(1));
      }
    }
  }

  private static Array texts(
      Connection connection, Collection<Entry> entries, Function<Entry, String> text)
      throws SQLException {
    return connection.createArrayOf("text", entries.stream().map(text).toArray());
  }

  /** What is pending already is accepted if it is the same; what was settled meanwhile stays. */
  private void leaveOutWhatIsThere(Connection connection, Batch batch, Map<String, Entry> left)
      throws SQLException, Refused {
    if (left.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql.existing)) {
      statement.setLong(1, fanout);
      for (Entry entry : List.copyOf(left.values())) {
        statement.setString(2, entry.key());
        try (ResultSet row = statement.executeQuery()) {
          if (row.next()) {
            boolean same =
                row.getString(1).equals(entry.id())
                    && row.getString(2).equals(batch.targetsText())
                    && row.getString(3).equals(entry.body());
            if (!same) {
              throw new Refused(
                  StoreError.CONFLICT,
                  "a message with the deduplication key \""
                      + entry.key()
                      + "\" is pending whose id, body or targets differ");
            }
            left.remove(entry.key());
          }
        }
      }
    }
  }

  private void takeBack(Connection connection, Collection<Long> numbers) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.unwritten)) {
      statement.setString(1, FanoutTable.ids(store.dialect(), numbers));
      statement.executeUpdate();
    }
  }

  private void deliveries(Connection connection, Batch batch, Map<String, Long> numbers)
      throws SQLException {
    List<Long> messages = new ArrayList<>(numbers.size());
    for (String key : batch.entries().keySet()) { // in the order in which they were given
      Long number = numbers.get(key);
      if (number != null) {
        messages.add(number);
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(sql.delivery)) {
      if (store.dialect() == Dialect.POSTGRES) {
        together(connection, statement, batch.targets(), messages);
      } else {
        statement.setLong(4, store.clock().micros().getAsLong());
        for (long message : messages) {
          for (long target : batch.targets()) {
            statement.setLong(1, target);
            statement.setLong(2, message);
            statement.setLong(3, delay(target));
            statement.executeUpdate();
          }
        }
      }
    }
  }

  private void together(
      Connection connection, PreparedStatement statement, List<Long> chosen, List<Long> messages)
      throws SQLException {
    Object[] target = new Object[messages.size() * chosen.size()];
    Object[] message = new Object[target.length];
    Object[] delay = new Object[target.length];
    int next = 0;
    for (long number : messages) {
      for (long each : chosen) {
        target[next] = each;
        message[next] = number;
        delay[next++] = delay(each);
      }
    }
    statement.setArray(1, connection.createArrayOf("bigint", target));
    statement.setArray(2, connection.createArrayOf("bigint", message));
    statement.setArray(3, connection.createArrayOf("bigint", delay));
    statement.executeUpdate();
  }

  /** To what multiple of microseconds new work of a target is rounded up. */
  private long delay(long target) {
    return Math.max(1, delays.getOrDefault(target, 0L));
  }

  private static void count(Connection connection, String text, List<Long> chosen, int messages)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (long target : chosen) {
        statement.setLong(1, target);
        statement.setLong(2, messages);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Nanoseconds until what is accepted now is due at all targets. */
  long longestDelay(Batch batch) {
    return batch.targets().stream()
        .mapToLong(target -> TimeUnit.MICROSECONDS.toNanos(delays.getOrDefault(target, 0L)))
        .max()
        .orElse(0);
  }
}
