package io.waymark.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A part of the terminal that is drawn again in place. What was on the screen before stays above
 * it, and its last state stays when it is closed. Thread safe: a shutdown may close it at any time.
 */
final class LiveScreen implements AutoCloseable {
  private static final String ESC = "\u001b[";
  private static final String HIDE_CURSOR = ESC + "?25l";
  private static final String SHOW_CURSOR = ESC + "?25h";
  private static final String CLEAR_LINE = ESC + "K";
  private static final String CLEAR_BELOW = ESC + "J";

  /** Asking for the size starts a process. */
  private static final int FRAMES_PER_SIZE = 8;

  private final Terminal terminal;
  private final PrintWriter writer;
  private final ReentrantLock drawing = new ReentrantLock();
  private Size size;
  private int frames;
  private int drawn;
  private boolean closed;

  private LiveScreen(Terminal terminal, Charset charset) {
    this.terminal = terminal;
    this.writer = new PrintWriter(System.out, false, charset);
    this.size = terminal.getSize();
  }

  /** The terminal that stdout is; null where it is none, or one that cannot move its cursor. */
  static @Nullable LiveScreen open(Charset charset) {
    Terminal terminal = null;
    try {
      terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.SysOut)
              .dumb(true)
              // Its default handlers would end the process at Ctrl-C without shutdown hooks.
              .nativeSignals(false)
              .build();
      boolean dumb =
          terminal.getType().startsWith(Terminal.TYPE_DUMB) || terminal.getSize().getColumns() <= 0;
      if (!dumb) {
        return new LiveScreen(terminal, charset);
      }
    } catch (IOException | IllegalStateException e) {
      // Not a terminal that we can use: then there is no live view.
    }
    close(terminal);
    return null;
  }

  /** Draws these lines over the ones that were drawn before. */
  void draw(List<String> lines) {
    drawing.lock();
    try {
      if (closed) {
        return;
      }
      if (++frames % FRAMES_PER_SIZE == 0) {
        size = terminal.getSize();
      }
      Size now = size;
      StringBuilder text = new StringBuilder(HIDE_CURSOR);
      if (drawn > 0) {
        text.append(ESC).append(drawn).append("A\r");
      }
      List<String> fitting =
          lines.subList(0, Math.min(lines.size(), Math.max(1, now.getRows() - 1)));
      for (String line : fitting) {
        text.append(Text.cut(line, now.getColumns())).append(CLEAR_LINE).append("\r\n");
      }
      writer.print(text.append(CLEAR_BELOW));
      writer.flush();
      drawn = fitting.size();
    } finally {
      drawing.unlock();
    }
  }

  /** Gives the cursor back. Idempotent. */
  @Override
  public void close() {
    drawing.lock();
    try {
      if (!closed) {
        closed = true;
        writer.print(SHOW_CURSOR);
        writer.flush();
        close(terminal);
      }
    } finally {
      drawing.unlock();
    }
  }

  private static void close(@Nullable Terminal terminal) {
    try {
      if (terminal != null) {
        terminal.close();
      }
    } catch (IOException e) {
      // There is nothing left to give back.
    }
  }
}
