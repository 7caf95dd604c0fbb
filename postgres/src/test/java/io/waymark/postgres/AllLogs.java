package io.waymark.postgres;

import java.io.StringWriter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Everything that is logged while it is open, of whomever and at every level, with what was thrown.
 * In tests slf4j writes to java.util.logging, as the driver does.
 */
final class AllLogs extends Handler implements AutoCloseable {
  private final Logger root = Logger.getLogger("");
  private final Level before = root.getLevel();
  private final StringWriter text = new StringWriter(); // many threads log
  private final SimpleFormatter formatter = new SimpleFormatter();

  AllLogs() {
    setLevel(Level.ALL);
    root.addHandler(this);
    root.setLevel(Level.ALL); // the console's own level keeps it as quiet as it was
  }

  @Override
  public void publish(LogRecord record) {
    text.append(record.getLoggerName()).append(": ").append(formatter.format(record));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.setLevel(before);
    root.removeHandler(this);
  }

  String text() {
    return text.toString();
  }
}
