package io.waymark.testing.postgres;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * An archive of server binaries inside a jar.
 *
 * @param location where it came from, for messages
 * @param version the version in the jar's name, or null where the name tells none
 * @param fingerprint tells two archives apart: size and checksum
 */
record Archive(URL url, String location, @Nullable ArtifactVersion version, String fingerprint) {

  private static final Pattern JAR_VERSION = Pattern.compile("-(\\d+\\.\\d+\\.\\d+)[^/]*\\.jar");
  private static final int BUFFER = 1 << 16;

  /** The archive that a class path resource names. */
  static Archive of(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    if (connection instanceof JarURLConnection jar) {
      try (JarFile file = jar.getJarFile()) {
        return of(url, Path.of(file.getName()), jar.getJarEntry());
      }
    }
    return new Archive(url, url.toString(), null, "size-" + connection.getContentLengthLong());
  }

  /** The archive in a jar on disk; null if the jar holds none of that name. */
  static @Nullable Archive in(Path jar, String resource) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      JarEntry entry = file.getJarEntry(resource);
      if (entry == null) {
        return null;
      }
      return of(new URL("jar:" + jar.toUri() + "!/" + resource), jar, entry);
    }
  }

  private static Archive of(URL url, Path jar, JarEntry entry) {
    Matcher matcher = JAR_VERSION.matcher(String.valueOf(jar.getFileName()));
    ArtifactVersion version = matcher.find() ? ArtifactVersion.parse(matcher.group(1)) : null;
    return new Archive(
        url,
        jar.toString(),
        version,
        Long.toHexString(entry.getSize()) + "-" + Long.toHexString(entry.getCrc()));
  }

  /** Unpacks everything below a folder, with permissions and links. */
  void unpack(Path folder) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    try (InputStream raw = connection.getInputStream();
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(raw, BUFFER)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, folder);
      }
    }
  }

  private void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
      throws IOException {
    Path path = folder.resolve(entry.getName()).normalize();
    if (!path.startsWith(folder)) {
      throw new FileNotFoundException(location + " holds a path outside of it: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(path);
      return;
    }
    Files.createDirectories(path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
    } else if (entry.isLink()) {
      Files.createLink(path, folder.resolve(entry.getLinkName()).normalize());
    } else {
      Files.copy(tar, path);
      Files.setPosixFilePermissions(path, permissions(entry.getMode()));
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions =
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OTHERS_READ);
    if ((mode & 0100) != 0) {
      permissions.add(PosixFilePermission.OWNER_EXECUTE);
      permissions.add(PosixFilePermission.GROUP_EXECUTE);
      permissions.add(PosixFilePermission.OTHERS_EXECUTE);
    }
    return permissions;
  }
}
