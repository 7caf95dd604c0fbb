package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A data folder as {@code initdb} makes it, once per version and user; clusters start from copies.
 * That saves about half a second per cluster.
 */
final class Template {

  private static final ReentrantLock MAKING = new ReentrantLock();

  private final Cache cache;
  private final Privileges privileges;
  private final Installation installation;

  Template(Cache cache, Privileges privileges, Installation installation) {
    this.cache = cache;
    this.privileges = privileges;
    this.installation = installation;
  }

  /** The template's folder; makes it if it is not there. */
  Path folder() {
    // The binaries' path belongs to the name: initdb compiles it into a few files.
    String key =
        installation.version()
            + "-"
            + Integer.toHexString(installation.bin().toString().hashCode());
    Path folder = cache.folder().resolve("template-" + key);
    MAKING.lock();
    try {
      if (!Files.isDirectory(folder)) {
        make(folder);
      }
      return folder;
    } catch (IOException e) {
      throw new PostgresClusterException("cannot make the template data folder: " + e, e);
    } finally {
      MAKING.unlock();
    }
  }

  private void make(Path folder) throws IOException {
    Path part = cache.newPart();
    try {
      Path data = Folders.createPrivate(part.resolve("data"));
      if (privileges.changesUser()) {
        Folders.chown(data, privileges.uid());
      }
      Command.Result result =
          Command.run(
              privileges.prefix(),
              installation.program("initdb"),
              "--pgdata=" + data,
              "--username=" + PostgresCluster.SUPERUSER,
              "--auth=trust",
              "--encoding=UTF8",
              "--locale=C",
              "--no-sync",
              "--no-instructions");
      if (!result.ok()) {
        throw new PostgresClusterException(
            "initdb of PostgreSQL " + installation.version() + " failed: " + result.output());
      }
      Binaries.publish(data, folder);
    } finally {
      Folders.deleteQuietly(part);
    }
  }
}
