package io.waymark.cli.shards;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Where everything is: the same for all processes of a demo.
 *
 * @param folder of the demo's files
 * @param url of the PostgreSQL database; empty for SQLite and a directory
 */
record Place(Path folder, String url) {
  static final String GROUP = "orders";
  static final List<String> MEMBERS = List.of("member-1", "member-2", "member-3");

  /** How long one call of a coordinator to something else may take. */
  static final Duration ATTEMPT = Duration.ofSeconds(1);

  boolean isPostgres() {
    return !url.isEmpty();
  }

  /** The coordinator's own, on SQLite. */
  Path database() {
    return folder.resolve("coordinator.db");
  }

  /** Where groups are published, on SQLite. */
  Path published() {
    return folder.resolve("published");
  }

  /** Where a member is reached. */
  Path socket(String member) {
    return folder.resolve(member + ".sock");
  }

  /** What a member has. */
  Path memory(String member) {
    return folder.resolve(member + ".db");
  }

  /** What a process has to say when it fails. */
  Path errors(String worker) {
    return folder.resolve(worker + ".err");
  }
}
