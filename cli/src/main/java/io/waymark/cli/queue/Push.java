package io.waymark.cli.queue;

import io.waymark.core.LoadSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A push, as a producer sends it to a host.
 *
 * @param mailbox whose it is
 * @param letters all of them or none are accepted
 */
record Push(String mailbox, List<Item> letters) {
  /** One message. */
  record Item(String id, Letter letter) {}

  /** What came of it. */
  enum Status {
    /** It is on disk. */
    ACCEPTED,
    /** The mailbox refused it; nothing was written. */
    REJECTED,
    /** The host does not have the mailbox; nothing was written. */
    ELSEWHERE
  }

  /**
   * The host's answer.
   *
   * @param status what came of it
   * @param error the name of a rejection, else empty
   * @param message for people
   * @param load of the mailbox
   */
  record Answer(Status status, String error, String message, @Nullable LoadSnapshot load) {}
}
