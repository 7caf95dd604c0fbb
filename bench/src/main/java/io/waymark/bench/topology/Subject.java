package io.waymark.bench.topology;

import java.util.function.LongConsumer;

/** One way for readers to hear of changes, over servers that run. Thread safe. */
interface Subject extends AutoCloseable {
  /** What runs, with versions. */
  String servers();

  /**
   * Opens a way to change groups; closed before another is opened.
   *
   * @param published whether a change is over only when readers can find it, and not already when
   *     it is committed
   */
  Writer writer(boolean published) throws Exception;

  /**
   * Begins to follow a group that is there, with a connection of this reader's own.
   *
   * @param seen is told the number of each change that the reader has, on any thread
   */
  void follow(int reader, String group, LongConsumer seen) throws Exception;

  @Override
  void close();

  /** Changes groups. Thread safe. */
  interface Writer extends AutoCloseable {
    /** Makes the change with this number of a group, which is made where it is not there. */
    void write(String group, long number) throws Exception;

    @Override
    void close();
  }
}
