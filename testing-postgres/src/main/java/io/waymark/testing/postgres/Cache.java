package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder that keeps unpacked binaries and initialised templates between runs; each user has an
 * own one. It may be deleted at any time when no cluster is starting.
 *
 * @param folder an existing folder that belongs to the present user
 */
record Cache(Path folder) {

  /** Puts the cache somewhere else. */
  static final String PROPERTY = "waymark.postgres.cache";

  private static final String PART = "part-";
  private static final Duration ABANDONED = Duration.ofHours(1);

  /** The cache that servers started in this way can read. */
  static Cache open(Privileges privileges) {
    IOException last = null;
    for (Path place : places(privileges)) {
      try {
        Path folder = create(place, privileges);
        Cache cache = new Cache(folder);
        cache.sweep();
        return cache;
      } catch (IOException e) {
        last = e;
      }
    }
    throw new PostgresClusterException(
        "no folder for the cache of PostgreSQL's binaries; name a writable one with -D" + PROPERTY,
        last);
  }

  private static List<Path> places(Privileges privileges) {
    String explicit = System.getProperty(PROPERTY, "");
    if (!explicit.isBlank()) {
      return List.of(Path.of(explicit).toAbsolutePath());
    }
    Path shared =
        Path.of(System.getProperty("java.io.tmpdir", "/tmp"))
            .resolve(
                "waymark-postgres-" + DataFolder.user() + (privileges.changesUser() ? "-x" : ""))
            .toAbsolutePath();
    if (privileges.changesUser()) {
      // Another user must reach the binaries, which root's home does not allow.
      return List.of(shared);
    }
    return List.of(home().resolve("waymark").resolve("postgres"), shared);
  }

  private static Path home() {
    String configured = System.getenv("XDG_CACHE_HOME");
    return configured != null && configured.startsWith("/")
        ? Path.of(configured)
        : Path.of(System.getProperty("user.home", "/nonexistent"))
            .resolve(".cache")
            .toAbsolutePath();
  }

  private static Path create(Path folder, Privileges privileges) throws IOException {
    Folders.createPrivate(folder);
    // A folder that somebody else made could hold somebody else's programs.
    int uid = Privileges.currentUid();
    if (uid >= 0
        && (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) != uid) {
      throw new IOException(folder + " belongs to another user");
    }
    Files.setPosixFilePermissions(
        folder,
        PosixFilePermissions.fromString(privileges.changesUser() ? "rwxr-xr-x" : "rwx------"));
    if (!Files.isWritable(folder)) {
      throw new IOException(folder + " is not writable");
    }
    return folder;
  }

  /** A fresh folder to prepare something in before it gets its name. */
  Path newPart() throws IOException {
    Path part = Files.createTempDirectory(folder, PART);
    Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
    return part;
  }

  /** Removes what JVMs left behind that ended while they prepared something. */
  private void sweep() throws IOException {
    Instant limit = Instant.now().minus(ABANDONED);
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        if (entry.getFileName().toString().startsWith(PART)
            && Files.getLastModifiedTime(entry).toInstant().isBefore(limit)) {
          Folders.deleteQuietly(entry);
        }
      }
    }
  }
}
