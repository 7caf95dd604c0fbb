package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Copies, makes and deletes folders. */
final class Folders {

  private Folders() {}

  /** Makes a folder, and its parents, that only its owner can enter. */
  static Path createPrivate(Path folder) throws IOException {
    return Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Copies a tree with its permissions. What vanishes while it is copied is left out, as a running
   * server removes files at any time.
   *
   * @param wanted is asked with the path relative to the source; a folder that is refused is still
   *     created, but empty
   */
  static void copy(Path source, Path target, Predicate<Path> wanted) throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Path relative = source.relativize(dir);
            Files.copy(dir, target.resolve(relative), StandardCopyOption.COPY_ATTRIBUTES);
            return relative.toString().isEmpty() || wanted.test(relative)
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path relative = source.relativize(file);
            if (wanted.test(relative)) {
              copyFile(file, target.resolve(relative));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  private static void copyFile(Path file, Path target) throws IOException {
    try {
      Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
    }
  }

  /** Gives a tree to another user. */
  static void chown(Path folder, int uid) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
      }
    }
  }

  /** Deletes a tree; what has gone already is no error. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes a file or tree as far as that is possible. */
  static void deleteQuietly(@Nullable Path path) {
    if (path != null) {
      try {
        delete(path);
      } catch (IOException e) {
        // Somebody else cleans up the temporary folder.
      }
    }
  }
}
