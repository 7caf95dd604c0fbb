package io.waymark.testing.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The other ways to start: the tests themselves run in only one of them. */
class PrivilegesTest {

  private static final List<String> ORDINARY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  private Path folder;

  @BeforeEach
  void onlyRootCanBecomeSomebodyElse() throws IOException {
    assumeTrue(
        Privileges.currentUid() == 0,
        "skipped: not root; the other tests run as an ordinary user already");
    folder =
        Files.createTempDirectory(
            "waymark-test-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @AfterEach
  void removeFolder() throws IOException {
    if (folder != null) {
      Folders.delete(folder);
    }
  }

  /** Unpacked binaries, so that this need not be done again for another user. */
  private Path cacheFor(int uid) throws IOException {
    Installation unpacked = new Binaries(Cache.open(Privileges.get())).find(0);
    Path home = unpacked.bin().resolve("..").normalize();
    Path cache = folder.resolve("cache");
    Files.createDirectory(cache);
    Folders.copy(home, cache.resolve(home.getFileName().toString()), path -> true);
    Folders.chown(cache, uid);
    return cache;
  }

  @Test
  void anOrdinaryUserNeedsNoPrefix() throws IOException {
    String classPath = readableClassPath();
    try (ChildJvm child =
        ChildJvm.start(
            ORDINARY,
            classPath,
            List.of(
                "-Duser.home=/nonexistent",
                "-Djava.io.tmpdir=" + folder,
                "-D" + Cache.PROPERTY + "=" + cacheFor(65534)),
            "close")) {
      assertThat(owner(child)).isEqualTo(65534);
      assertThat(child.folder()).isDirectory();

      child.process().getOutputStream().close();

      await().until(child::leftNothing);
    }
  }

  @Test
  void rootCanRunServersAsAnotherUserWhereNamespacesAreForbidden() throws IOException {
    try (ChildJvm child =
        ChildJvm.start(
            List.of(),
            ChildJvm.ownClassPath(),
            List.of(
                "-D" + Privileges.PROPERTY + "=setpriv",
                "-D" + Cache.PROPERTY + "=" + cacheFor(0),
                "-D" + DataFolder.PROPERTY + "=" + folder))) {
      assertThat(owner(child)).isEqualTo(65534);

      child.process().destroyForcibly();

      await().until(child::leftNothing);
    }
  }

  private static int owner(ChildJvm child) throws IOException {
    return (Integer)
        Files.getAttribute(Path.of("/proc", child.servers().get(0).toString()), "unix:uid");
  }

  /** Root's home is closed to others, so the class path is copied to where they can read it. */
  private String readableClassPath() throws IOException {
    List<String> copies = new ArrayList<>();
    for (String part : ChildJvm.ownClassPath().split(File.pathSeparator, -1)) {
      Path source = Path.of(part);
      if (Files.exists(source)) {
        Path target = folder.resolve("class-path-" + copies.size() + "-" + source.getFileName());
        copyReadable(source, target);
        copies.add(target.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void copyReadable(Path source, Path target) throws IOException {
    try (Stream<Path> paths = Files.walk(source)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path copy = target.resolve(source.relativize(path).toString());
        if (source.equals(path) && Files.isRegularFile(path)) {
          copy = target;
        }
        Files.copy(path, copy);
        Files.setPosixFilePermissions(
            copy,
            PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
      }
    }
  }
}
