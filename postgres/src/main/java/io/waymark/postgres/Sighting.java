package io.waymark.postgres;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one probe saw of one server: facts as of one moment. Immutable.
 *
 * @param server the instance that answered; null where the role may not read what tells it
 * @param version {@code server_version_num}, such as 180006
 * @param inRecovery whether it is a standby
 * @param timeline the timeline that it writes or replays; 0 where unknown. For a standby that does
 *     not tell its receiver's timeline to this role it is the last restart point's, which may be
 *     older than the truth and never newer
 * @param insert a primary's insert position, normalised; {@link Lsn#NONE} where unknown
 * @param flush a primary's flush position; {@link Lsn#NONE} where unknown
 * @param replay a standby's replay position; {@link Lsn#NONE} where unknown
 * @param fork where this primary left the timeline before its own; {@link Lsn#NONE} where it was
 *     not seen to be promoted. A primary that recovered from a crash has a last replayed position
 *     too, so only a promotion that was watched tells
 * @param replayAge how long ago the last replayed transaction committed, by the server's clock;
 *     null where it has replayed none
 * @param replayPaused whether replay was paused by hand
 * @param missedBy how far the replay position is short of what was asked for with this reading; 0
 *     for a reading that nobody asked for or that was enough
 * @param committed transactions that were asked about and are committed here
 * @param reading the number of this reading: larger than that of any reading that started before
 * @param startedNanos when the question was sent, on the ticker
 * @param tookNanos how long the answer took
 */
record Sighting(
    @Nullable ServerInstance server,
    int version,
    boolean inRecovery,
    int timeline,
    long insert,
    long flush,
    long replay,
    long fork,
    @Nullable Duration replayAge,
    boolean replayPaused,
    long missedBy,
    Set<Long> committed,
    long reading,
    long startedNanos,
    long tookNanos) {

  /** The history that this primary writes; null for a standby, or where it cannot be told. */
  @Nullable History history() {
    return inRecovery || server == null || timeline == 0 ? null : new History(server, timeline);
  }

  /** The same, with where this primary left the timeline before. */
  Sighting withFork(long position) {
    return new Sighting(
        server,
        version,
        inRecovery,
        timeline,
        insert,
        flush,
        replay,
        position,
        replayAge,
        replayPaused,
        missedBy,
        committed,
        reading,
        startedNanos,
        tookNanos);
  }

  /** Where the write-ahead log ends on this primary; {@link Lsn#NONE} where unknown. */
  long position() {
    return inRecovery ? Lsn.NONE : insert;
  }
}
