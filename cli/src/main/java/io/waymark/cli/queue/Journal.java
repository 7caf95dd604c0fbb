package io.waymark.cli.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a process writes down for the comparison in the end, with nothing of the product under it: a
 * file of its own for each life, a line for each entry, on disk before the process goes on. A line
 * without an end was being written when the process was killed, and does not count.
 */
final class Journal implements AutoCloseable {
  private static final String END = ".journal";

  private final FileChannel file;
  private final ReentrantLock writing = new ReentrantLock();

  private Journal(FileChannel file) {
    this.file = file;
  }

  /** A new file among those of this name. */
  static Journal open(Path folder, String name) throws IOException {
    return new Journal(
        FileChannel.open(
            folder.resolve(name + "-" + UUID.randomUUID() + END),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE));
  }

  /** Writes the lines, and returns when they are on disk. */
  void write(Collection<String> lines) throws IOException {
    if (lines.isEmpty()) {
      return;
    }
    String text = String.join("\n", lines) + "\n";
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    writing.lock();
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(false);
    } finally {
      writing.unlock();
    }
  }

  /** Hands on all whole lines of all files of this name. */
  static void read(Path folder, String name, Consumer<String> each) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files =
          all.filter(
                  file -> {
                    String called = String.valueOf(file.getFileName());
                    return called.startsWith(name + "-") && called.endsWith(END);
                  })
              .toList();
    }
    for (Path file : files) {
      String text = Files.readString(file);
      text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(each);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
