package io.waymark.coordinator;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file beside a SQLite database that tells when an older copy of it was put back: it names the
 * history that the database must name too, and the highest version that the outbox is known to have
 * given out, which the database must be beyond. It is written after each commit, without waiting
 * for the disk, so it may lag behind the database and is never ahead of it. Thread safe.
 */
final class Mark implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Mark.class);
  private static final Pattern TEXT = Pattern.compile("([0-9a-f-]{36}) ([0-9]{19})\n");
  private static final int LENGTH = 57;

  /** Not a channel, which an interrupt of the thread that commits would close. */
  private final RandomAccessFile file;

  private final String history;
  private final long found;

  /** Never waited for: who finds it taken leaves the mark a little behind. */
  private final ReentrantLock writing = new ReentrantLock();

  private long highest;
  private boolean failing;

  private Mark(RandomAccessFile file, String history, long found) {
    this.file = file;
    this.history = history;
    this.found = found;
    this.highest = found;
  }

  /**
   * The mark of a database, made if it is missing or unreadable.
   *
   * @throws IOException if there can be none
   */
  static Mark of(Path database) throws IOException {
    Path path = database.resolveSibling(database.getFileName() + ".mark");
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      byte[] bytes = new byte[LENGTH];
      int read = file.read(bytes);
      Matcher parts = TEXT.matcher(new String(bytes, 0, Math.max(0, read), US_ASCII));
      if (parts.matches()) {
        return new Mark(file, parts.group(1), Long.parseLong(parts.group(2)));
      }
      Mark fresh = new Mark(file, UUID.randomUUID().toString(), 0);
      fresh.write();
      return fresh;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** What the database must name as its history. */
  String history() {
    return history;
  }

  /** The highest version that was given out when the mark was found; 0 if it was made. */
  long found() {
    return found;
  }

  /** A version was given out, and is committed. */
  void given(long version) {
    if (!writing.tryLock()) {
      return;
    }
    try {
      if (version > highest) {
        highest = version;
        write();
        failing = false;
      }
    } catch (IOException e) {
      if (!failing) {
        LOG.warn("the mark beside the database cannot be written: {}", e.toString());
      }
      failing = true;
    } finally {
      writing.unlock();
    }
  }

  private void write() throws IOException {
    file.seek(0);
    file.write(String.format(Locale.ROOT, "%s %019d\n", history, highest).getBytes(US_ASCII));
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("the mark beside the database did not close", e);
    }
  }
}
