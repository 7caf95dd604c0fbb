package io.waymark.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every SQL text that Waymark itself sends, for PostgreSQL 13 and newer. All functions and types
 * are qualified: the caller's {@code search_path} must not matter.
 *
 * <p>Rights: all of it is allowed to any role by default. Where an administrator has revoked some,
 * the {@link Rights} say so and what needs them is left out; {@code pg_monitor} lets a standby tell
 * the timeline that it receives at once, instead of at its next restart point.
 */
final class ServerQueries {
  /**
   * What the role may call here.
   *
   * @param identity what tells the instance
   * @param positions the position functions
   * @param timelines what tells a standby's timeline
   */
  record Rights(boolean identity, boolean positions, boolean timelines) {}

  /**
   * What never changes while a connection is open.
   *
   * @param server the instance; null without the right to tell
   * @param rights what the role may call
   * @param blockSize {@code wal_block_size} in bytes
   * @param segmentSize {@code wal_segment_size} in bytes
   */
  record Introduction(
      @Nullable ServerInstance server, Rights rights, long blockSize, long segmentSize) {}

  private static final String RIGHTS =
      "SELECT pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE'),"
          + " pg_catalog.has_function_privilege('pg_catalog.pg_current_wal_insert_lsn()', 'EXECUTE')"
          + " AND pg_catalog.has_function_privilege('pg_catalog.pg_current_wal_flush_lsn()', 'EXECUTE')"
          + " AND pg_catalog.has_function_privilege('pg_catalog.pg_last_wal_replay_lsn()', 'EXECUTE')"
          + " AND pg_catalog.has_function_privilege("
          + "'pg_catalog.pg_current_xact_id_if_assigned()', 'EXECUTE'),"
          + " pg_catalog.has_function_privilege('pg_catalog.pg_control_checkpoint()', 'EXECUTE')"
          + " AND pg_catalog.has_function_privilege('pg_catalog.pg_control_recovery()', 'EXECUTE')";

  private static final String SETTINGS =
      " pg_catalog.current_setting('wal_block_size')::pg_catalog.int8,"
          + " pg_catalog.pg_size_bytes(pg_catalog.current_setting('wal_segment_size'))";

  private static final String STARTED =
      " (EXTRACT(EPOCH FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::pg_catalog.int8";

  /**
   * Commits an empty message: its commit record makes the server flush everything before it. The
   * setting holds for this transaction alone and keeps it from waiting for standbys.
   */
  static final String NUDGE =
      "SELECT pg_catalog.set_config('synchronous_commit', 'local', true),"
          + " pg_catalog.pg_logical_emit_message(true, 'waymark', '')";

  /** Whether the login role may open a connection in replication mode. */
  static final String MAY_REPLICATE =
      "SELECT rolreplication OR rolsuper FROM pg_catalog.pg_roles WHERE rolname = session_user";

  private ServerQueries() {}

  /** In replication mode: a timeline's history file. */
  static String timelineHistory(int timeline) {
    return "TIMELINE_HISTORY " + timeline;
  }

  /** What became of a transaction of this server. */
  static String fate(long xid) {
    return "SELECT pg_catalog.pg_xact_status('"
        + Long.toUnsignedString(xid)
        + "'::pg_catalog.xid8)";
  }

  /** Reads what never changes on this connection: two round trips. */
  static Introduction introduce(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      Rights rights;
      try (ResultSet row = statement.executeQuery(RIGHTS)) {
        row.next();
        rights = new Rights(row.getBoolean(1), row.getBoolean(2), row.getBoolean(3));
      }
      String identity =
          rights.identity()
              ? " (pg_catalog.pg_control_system()).system_identifier"
              : " NULL::pg_catalog.int8";
      String sql =
          "SELECT"
              + identity
              + ","
              + STARTED
              + ", pg_catalog.host(pg_catalog.inet_server_addr()), pg_catalog.inet_server_port(),"
              + SETTINGS;
      try (ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return new Introduction(server(row), rights, row.getLong(5), row.getLong(6));
      }
    }
  }

  private static @Nullable ServerInstance server(ResultSet row) throws SQLException {
    long systemId = row.getLong(1);
    return row.wasNull()
        ? null
        : new ServerInstance(systemId, row.getLong(2), row.getString(3), row.getInt(4));
  }

  /** The probe: legal on primaries and standbys, one round trip. */
  static String probe(Rights rights) {
    return "SELECT r.recovering, pg_catalog.current_setting('server_version_num')::pg_catalog.int4,"
        + position(rights, "NOT r.recovering", "pg_catalog.pg_current_wal_insert_lsn()")
        + ","
        + position(rights, "NOT r.recovering", "pg_catalog.pg_current_wal_flush_lsn()")
        + ","
        + position(rights, "true", "pg_catalog.pg_last_wal_replay_lsn()")
        + ", (EXTRACT(EPOCH FROM pg_catalog.clock_timestamp()"
        + " - pg_catalog.pg_last_xact_replay_timestamp()) * 1000000)::pg_catalog.int8,"
        + " CASE WHEN r.recovering THEN pg_catalog.pg_is_wal_replay_paused() ELSE false END,"
        + timeline(rights)
        + " FROM (SELECT pg_catalog.pg_is_in_recovery() AS recovering) r";
  }

  private static String position(Rights rights, String when, String function) {
    return rights.positions() ? " CASE WHEN " + when + " THEN " + function + " END" : " NULL";
  }

  /** A primary's from the name of its log file, at once; a standby's from its receiver. */
  private static String timeline(Rights rights) {
    String ofPrimary =
        rights.positions()
            ? "('x' || pg_catalog.left(pg_catalog.pg_walfile_name("
                + "pg_catalog.pg_current_wal_insert_lsn()), 8))::pg_catalog.bit(32)::pg_catalog.int4"
            : "0";
    String ofStandby =
        rights.timelines()
            ? "GREATEST((SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver),"
                + " (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),"
                + " (SELECT min_recovery_end_timeline FROM pg_catalog.pg_control_recovery()))"
            : "(SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver)";
    return " CASE WHEN r.recovering THEN " + ofStandby + " ELSE " + ofPrimary + " END";
  }

  /** The probe, and which of these transactions are committed here. */
  static String probe(Rights rights, Collection<Token> asked) {
    String probe = probe(rights);
    String xids =
        asked.stream()
            .map(Token::xid)
            .filter(xid -> xid != Token.NO_XID)
            .distinct()
            .map(xid -> "('" + Long.toUnsignedString(xid) + "'::pg_catalog.xid8)")
            .collect(Collectors.joining(","));
    if (xids.isEmpty()) {
      return probe;
    }
    int from = probe.lastIndexOf(" FROM (SELECT");
    return probe.substring(0, from) + committed(xids) + probe.substring(from);
  }

  /**
   * An id beyond the snapshot's upper bound is an error to PostgreSQL, so it is not asked about.
   */
  private static String committed(String xids) {
    return ", (SELECT pg_catalog.string_agg(asked.x::pg_catalog.text, ',') FROM (VALUES "
        + xids
        + ") asked (x) WHERE CASE WHEN asked.x"
        + " < pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())"
        + " THEN pg_catalog.pg_xact_status(asked.x) = 'committed' END)";
  }

  /** Reads the probe's row. */
  static Sighting sighting(
      ResultSet row,
      Introduction introduction,
      Collection<Token> asked,
      long reading,
      long startedNanos,
      long tookNanos)
      throws SQLException {
    boolean recovering = row.getBoolean(1);
    int version = row.getInt(2);
    long insert = lsn(row.getString(3));
    long flush = lsn(row.getString(4));
    long replay = lsn(row.getString(5));
    long age = row.getLong(6);
    Duration replayAge = row.wasNull() ? null : Duration.ofNanos(age * 1000);
    boolean paused = row.getBoolean(7);
    int timeline = row.getInt(8);
    Set<Long> committed =
        row.getMetaData().getColumnCount() > 8 ? xids(row.getString(9)) : Set.of();
    return new Sighting(
        introduction.server(),
        version,
        recovering,
        timeline,
        insert == Lsn.NONE
            ? Lsn.NONE
            : Lsn.normalised(insert, introduction.blockSize(), introduction.segmentSize()),
        flush,
        replay,
        Lsn.NONE,
        replayAge,
        paused,
        missedBy(replay, committed, asked),
        committed,
        reading,
        startedNanos,
        tookNanos);
  }

  private static long missedBy(long replay, Set<Long> committed, Collection<Token> asked) {
    long missed = 0;
    for (Token token : asked) {
      if (!committed.contains(token.xid())) {
        missed = Math.max(missed, Lsn.distance(token.lsn(), replay));
      }
    }
    return missed;
  }

  private static long lsn(@Nullable String text) {
    return text == null ? Lsn.NONE : Lsn.parse(text);
  }

  private static Set<Long> xids(@Nullable String text) {
    Set<Long> xids = new HashSet<>();
    if (text != null) {
      for (String xid : text.split(",", -1)) {
        xids.add(Long.parseUnsignedLong(xid));
      }
    }
    return Set.copyOf(xids);
  }
}
