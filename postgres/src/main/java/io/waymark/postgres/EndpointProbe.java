package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.Role;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * One look at one server, for tools: who it is and where it stands. It asks the same question that
 * a data source asks again and again, on a connection of its own that it closes.
 */
public final class EndpointProbe {
  /**
   * What any role may see of the streams. Their details are for {@code pg_monitor}; to others the
   * row is there and says nothing.
   */
  private static final String STREAMS =
      "SELECT (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication),"
          + " (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_wal_receiver),"
          + " (SELECT pg_catalog.min(status) FROM pg_catalog.pg_stat_wal_receiver)";

  private EndpointProbe() {}

  /** Whether a standby gets the primary's log. */
  public enum Receiver {
    /** It is a primary and receives nothing. */
    NONE_NEEDED,
    /** It streams. */
    STREAMING,
    /** It has a receiver whose state this role may not see, or that is not streaming yet. */
    CONNECTED,
    /** It has no receiver: it falls behind, or it reads an archive. */
    MISSING
  }

  /**
   * What was seen. Immutable.
   *
   * @param address {@code host:port/database}, without credentials
   * @param systemId the cluster's system identifier; empty where the role may not read it
   * @param role primary, or replica while it is in recovery
   * @param version {@code server_version_num}, such as 180006
   * @param timeline the timeline that it writes or replays; 0 where unknown
   * @param position a primary's insert position or a standby's replay position in PostgreSQL's text
   *     form; empty where unknown
   * @param replayAge how long ago the last transaction that a standby replayed was committed, which
   *     grows also while the primary is idle; empty for a primary and where none was replayed
   * @param replayPaused whether replay was paused by hand
   * @param receiver whether it gets the primary's log
   * @param standbys how many standbys stream from it
   * @param roundTrip how long an answer took on a connection in use
   */
  public record Result(
      String address,
      Optional<String> systemId,
      Role role,
      int version,
      int timeline,
      Optional<String> position,
      Optional<Duration> replayAge,
      boolean replayPaused,
      Receiver receiver,
      int standbys,
      Duration roundTrip) {

    /**
     * How much of the primary's log this standby has not replayed, in bytes. The two were not
     * looked at in the same moment, so a busy primary's last writes may or may not count.
     *
     * @return empty unless both belong to one cluster and one timeline and both positions are known
     */
    public OptionalLong bytesBehind(Result primary) {
      boolean comparable =
          role == Role.REPLICA
              && primary.role == Role.PRIMARY
              && systemId.isPresent()
              && systemId.equals(primary.systemId)
              && timeline != 0
              && timeline == primary.timeline;
      if (!comparable || position.isEmpty() || primary.position.isEmpty()) {
        return OptionalLong.empty();
      }
      return OptionalLong.of(
          Lsn.distance(Lsn.parse(primary.position.get()), Lsn.parse(position.get())));
    }
  }

  /**
   * Where a URL leads, as {@code host:port/database}: what may be shown of it. Opens nothing.
   *
   * @param option how a message names the URL
   * @throws OptionException if it is no {@code jdbc:postgresql:} URL with one host; the message
   *     shows nothing of it that may be a credential
   */
  public static String address(Option option, String url) {
    return EndpointUrl.parse(option, url).toString();
  }

  /**
   * Looks at a server.
   *
   * @param url as for {@link WaymarkDataSourceBuilder#primary}
   * @param user the login role where the URL names none; null for the driver's own rules
   * @param password null for none; never shown
   * @param timeout how long connecting may take, in whole seconds and at least one, and how long
   *     each of the five answers that it needs may take
   * @throws OptionException if an argument cannot be used; nothing was opened
   * @throws SQLException if the server cannot be reached or does not answer
   */
  public static Result probe(
      String url, @Nullable String user, @Nullable String password, Duration timeout)
      throws SQLException {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder().primary(url).connectTimeout(timeout);
    if (user != null) {
      builder.user(user);
    }
    if (password != null) {
      builder.password(password);
    }
    WaymarkDataSourceConfig config = builder.config();
    PhysicalOpener opener = new PhysicalOpener(new Driver(), config, config.primary());
    try (Connection connection = opener.open(timeout, timeout)) {
      int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, timeout.toMillis()));
      connection.setNetworkTimeout(Runnable::run, millis);
      return look(connection, config.primary().address());
    }
  }

  private static Result look(Connection connection, String address) throws SQLException {
    ServerQueries.Introduction who = ServerQueries.introduce(connection);
    try (Statement statement = connection.createStatement()) {
      sighting(statement, who); // the first answer also pays for what the server must load
      Sighting seen = sighting(statement, who);
      try (ResultSet row = statement.executeQuery(STREAMS)) {
        row.next();
        return result(address, seen, row);
      }
    }
  }

  private static Sighting sighting(Statement statement, ServerQueries.Introduction who)
      throws SQLException {
    long started = System.nanoTime();
    try (ResultSet row = statement.executeQuery(ServerQueries.probe(who.rights()))) {
      long took = System.nanoTime() - started;
      row.next();
      return ServerQueries.sighting(row, who, List.of(), 0, started, took);
    }
  }

  private static Result result(String address, Sighting seen, ResultSet streams)
      throws SQLException {
    ServerInstance server = seen.server();
    long position = seen.inRecovery() ? seen.replay() : seen.position();
    return new Result(
        address,
        server == null ? Optional.empty() : Optional.of(Long.toUnsignedString(server.systemId())),
        seen.inRecovery() ? Role.REPLICA : Role.PRIMARY,
        seen.version(),
        seen.timeline(),
        position == Lsn.NONE ? Optional.empty() : Optional.of(Lsn.format(position)),
        seen.inRecovery() ? Optional.ofNullable(seen.replayAge()) : Optional.empty(),
        seen.replayPaused(),
        receiver(seen, streams.getInt(2), streams.getString(3)),
        streams.getInt(1),
        Duration.ofNanos(seen.tookNanos()));
  }

  private static Receiver receiver(Sighting seen, int receivers, @Nullable String status) {
    if (!seen.inRecovery()) {
      return Receiver.NONE_NEEDED;
    }
    if (receivers == 0) {
      return Receiver.MISSING;
    }
    return "streaming".equals(status) ? Receiver.STREAMING : Receiver.CONNECTED;
  }
}
