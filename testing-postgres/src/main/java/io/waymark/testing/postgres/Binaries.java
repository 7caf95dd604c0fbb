package io.waymark.testing.postgres;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the server binaries of a version and unpacks them once per user and version. All versions
 * share one artifact and one resource name, so only one can be on the class path; the others are
 * looked for in {@value #PROPERTY} and in the local Maven repository.
 */
final class Binaries {

  /** Jars with binaries, or folders that hold such jars, separated as in a class path. */
  static final String PROPERTY = "waymark.postgres.binaries";

  private static final Logger LOG = LoggerFactory.getLogger(Binaries.class);

  /** A build of each supported version that is known to work. */
  static final Map<Integer, String> KNOWN =
      Map.of(15, "15.19.0", 16, "16.15.0", 17, "17.11.0", 18, "18.6.0");

  /** Threads of one JVM take turns; several JVMs may unpack at once, and the first one wins. */
  private static final ReentrantLock UNPACKING = new ReentrantLock();

  private final Platform platform = Platform.current();
  private final Cache cache;

  Binaries(Cache cache) {
    this.cache = cache;
  }

  /**
   * The binaries of a major version, or of whatever version is on the class path.
   *
   * @param major 0 for any
   */
  Installation find(int major) {
    try {
      Optional<Archive> archive = onClassPath(major);
      if (archive.isEmpty() && major != 0) {
        archive = inConfiguredJars(major).or(() -> inLocalRepository(major));
      }
      Installation found = unpacked(archive.orElseThrow(() -> missing(major)));
      if (major != 0 && found.major() != major) {
        throw missing(major);
      }
      return found;
    } catch (IOException e) {
      throw new PostgresClusterException("cannot unpack PostgreSQL's binaries: " + e, e);
    }
  }

  private Optional<Archive> onClassPath(int major) throws IOException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    URL url = loader == null ? null : loader.getResource(platform.resource());
    if (url == null) {
      url = Binaries.class.getResource("/" + platform.resource());
    }
    if (url == null) {
      return Optional.empty();
    }
    Archive archive = Archive.of(url);
    return matches(archive, major) ? Optional.of(archive) : Optional.empty();
  }

  /** A jar whose name tells no version is unpacked to see. */
  private boolean matches(Archive archive, int major) throws IOException {
    ArtifactVersion version = archive.version();
    int found = version == null && major != 0 ? unpacked(archive).major() : 0;
    return major == 0 || (version == null ? found : version.major()) == major;
  }

  private Optional<Archive> inConfiguredJars(int major) throws IOException {
    Archive best = null;
    for (Path jar : configuredJars()) {
      Archive archive = Archive.in(jar, platform.resource());
      if (archive != null && matches(archive, major) && newer(archive, best)) {
        best = archive;
      }
    }
    return Optional.ofNullable(best);
  }

  private static boolean newer(Archive archive, @Nullable Archive best) {
    ArtifactVersion version = archive.version();
    ArtifactVersion than = best == null ? null : best.version();
    return best == null || (version != null && than != null && version.compareTo(than) > 0);
  }

  private static List<Path> configuredJars() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String part : System.getProperty(PROPERTY, "").split(File.pathSeparator, -1)) {
      if (part.isBlank()) {
        continue;
      }
      Path path = Path.of(part.strip());
      if (Files.isDirectory(path)) {
        try (Stream<Path> files = Files.list(path)) {
          files.filter(file -> file.toString().endsWith(".jar")).forEach(jars::add);
        }
      } else if (Files.isRegularFile(path)) {
        jars.add(path);
      } else {
        throw new PostgresClusterException(
            "system property " + PROPERTY + " names " + path + ", which does not exist");
      }
    }
    return jars;
  }

  private Optional<Archive> inLocalRepository(int major) {
    return LocalRepository.newest(platform, major)
        .flatMap(
            jar -> {
              try {
                return Optional.ofNullable(Archive.in(jar, platform.resource()));
              } catch (IOException e) {
                throw new PostgresClusterException("cannot read " + jar + ": " + e, e);
              }
            });
  }

  private PostgresClusterException missing(int major) {
    String version = KNOWN.getOrDefault(major == 0 ? 18 : major, major + ".x.y");
    return new PostgresClusterException(
        "no server binaries of PostgreSQL "
            + (major == 0 ? "" : major + " ")
            + "for "
            + platform
            + " on the class path, in "
            + PROPERTY
            + " or in the local Maven repository. Fetch them with: mvn dependency:get"
            + " -Dtransitive=false -Dartifact="
            + LocalRepository.GROUP
            + ":"
            + platform.artifact()
            + ":"
            + version);
  }

  private Installation unpacked(Archive archive) throws IOException {
    ArtifactVersion version = archive.version();
    Path folder =
        cache
            .folder()
            .resolve(
                (version == null ? "unknown" : version)
                    + "-"
                    + platform
                    + "-"
                    + archive.fingerprint());
    UNPACKING.lock();
    try {
      if (!Files.isDirectory(folder)) {
        LOG.info("Unpacking PostgreSQL from {} to {}, once", archive.location(), folder);
        unpack(archive, folder);
      }
    } finally {
      UNPACKING.unlock();
    }
    return Installation.at(folder);
  }

  private void unpack(Archive archive, Path folder) throws IOException {
    Path part = cache.newPart();
    try {
      archive.unpack(part);
      publish(part, folder);
    } finally {
      Folders.deleteQuietly(part);
    }
  }

  /** Moves a finished folder to its name at once; if another JVM was faster, its folder stays. */
  static void publish(Path part, Path folder) throws IOException {
    try {
      Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw e;
    } catch (IOException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }
}
