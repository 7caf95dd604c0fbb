package io.waymark.cli.queue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where everything is: the same for all processes of a demo.
 *
 * @param folder of the demo's files
 * @param url of the PostgreSQL database; empty for SQLite
 */
record Place(Path folder, String url) {
  static final List<String> HOSTS = List.of("host-1", "host-2", "host-3");
  static final List<String> MAILBOXES =
      List.of("mailbox-0", "mailbox-1", "mailbox-2", "mailbox-3", "mailbox-4", "mailbox-5");
  static final String CONSUMER = "consumer";
  static final String ARCHIVE = "archive";

  /** Each message goes to both; each has a process of that name. */
  static final List<String> TARGETS = List.of(CONSUMER, ARCHIVE);

  /** How long one push, or one delivery of a batch, may take. */
  static final Duration ATTEMPT = Duration.ofSeconds(2);

  /** How long a host that died keeps its mailboxes, on PostgreSQL. */
  static final Duration LEASE = Duration.ofSeconds(2);

  boolean isPostgres() {
    return !url.isEmpty();
  }

  /** Where a process is reached. */
  Path socket(String worker) {
    return folder.resolve(worker + ".sock");
  }

  /** What a process has to say when it fails. */
  Path errors(String worker) {
    return folder.resolve(worker + ".err");
  }

  /** The mailboxes of a host, on SQLite. */
  Path mailboxes(String host) {
    return folder.resolve(host);
  }

  /** Who may have a mailbox: its own host first, on SQLite no other. */
  List<String> hostsOf(String mailbox) {
    int own = MAILBOXES.indexOf(mailbox) % HOSTS.size();
    if (!isPostgres()) {
      return List.of(HOSTS.get(own));
    }
    List<String> all = new ArrayList<>(HOSTS);
    all.add(0, all.remove(own));
    return all;
  }
}
