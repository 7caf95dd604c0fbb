package io.waymark.testing.postgres;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Gives a copied data folder a system identifier of its own. All copies of a template would
 * otherwise claim to be one and the same database system, and a client that tells systems apart
 * could not be tested.
 *
 * <p>The identifier stands first in {@code global/pg_control}, whose content ends with a CRC-32C,
 * and in the first page header of each WAL segment. The place of the checksum differs between
 * versions; it is found as the only one that holds the checksum of what stands before it. See
 * {@code ControlFileData} and {@code XLogLongPageHeaderData} in PostgreSQL's sources.
 */
final class ControlFile {

  private static final int SMALLEST = 200;
  private static final int LARGEST = 512;
  private static final int IDENTIFIER_IN_SEGMENT = 24;
  private static final AtomicLong COUNTER = new AtomicLong();

  private ControlFile() {}

  /**
   * A new identifier, made as the server makes it: seconds in the upper half, then what differs.
   */
  static long newIdentifier() {
    long seconds = System.currentTimeMillis() / 1000;
    long pid = ProcessHandle.current().pid() & 0xFFFFF;
    return seconds << 32 | pid << 12 | (COUNTER.incrementAndGet() & 0xFFF);
  }

  /** Writes the identifier into the folder of a server that was shut down cleanly. */
  static void assign(Path data, long identifier) throws IOException {
    Path file = path(data);
    byte[] content = Files.readAllBytes(file);
    int end = checksumAt(content);
    if (end < 0) {
      throw new IOException("no checksum found in " + file);
    }
    inServersOrder(content).putLong(0, identifier);
    inServersOrder(content).putInt(end, checksum(content, end));
    overwrite(file, 0, content);
    byte[] bytes = new byte[Long.BYTES];
    inServersOrder(bytes).putLong(0, identifier);
    for (Path segment : segments(data)) {
      overwrite(segment, IDENTIFIER_IN_SEGMENT, bytes);
    }
  }

  private static void overwrite(Path file, long position, byte[] bytes) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      out.write(bytes);
    }
  }

  /** Whether the file is whole: a copy of a running server's may be torn. */
  static boolean isWhole(Path data) throws IOException {
    return checksumAt(Files.readAllBytes(path(data))) >= 0;
  }

  static Path path(Path data) {
    return data.resolve("global").resolve("pg_control");
  }

  private static ByteBuffer inServersOrder(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  private static int checksumAt(byte[] content) {
    ByteBuffer numbers = inServersOrder(content);
    for (int at = SMALLEST; at + Integer.BYTES <= Math.min(LARGEST, content.length); at += 4) {
      if (numbers.getInt(at) == checksum(content, at)) {
        return at;
      }
    }
    return -1;
  }

  private static int checksum(byte[] content, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, length);
    return (int) crc.getValue();
  }

  private static List<Path> segments(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("pg_wal"))) {
      return files.filter(file -> file.getFileName().toString().length() == 24).toList();
    }
  }
}
