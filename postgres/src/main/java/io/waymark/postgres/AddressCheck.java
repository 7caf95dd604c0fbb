package io.waymark.postgres;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether an endpoint's URL leads to one server, judged by which server each new connection
 * reaches.
 *
 * <p>An address may move once: a name is pointed elsewhere, a standby is rebuilt on another
 * machine. When it moves again soon, as through a balancer, a reader endpoint or a name with
 * several addresses, it leads to several servers. That is believed until {@value #LOOKS} periodic
 * looks in a row have reached the server that was reached last.
 *
 * <p>A restart and a second address make no other server: see {@link ServerInstance#sameServer}.
 *
 * <p>Thread safe; its lock is held for comparisons only.
 */
final class AddressCheck {
  /** Looks that must agree before an address that has moved is trusted. */
  static final int LOOKS = 10;

  /** What a new connection has shown. */
  enum Finding {
    /** Nothing new. */
    SAME,
    /** Another server than before: the address has moved, or there are several. */
    MOVED,
    /** It is known from now on that there are several. */
    SEVERAL,
    /** It is trusted again that there is one. */
    ONE
  }

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ServerInstance last;

  /** Grows whenever another instance is reached. */
  private int mark;

  /** Periodic looks since the address moved last that found it where it was. */
  private int agreed = LOOKS;

  private boolean several;

  /** What a connection that is about to be opened passes to {@link #reached}. */
  int mark() {
    lock.lock();
    try {
      return mark;
    } finally {
      lock.unlock();
    }
  }

  boolean several() {
    lock.lock();
    try {
      return several;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A connection was opened.
   *
   * @param server which server it reached
   * @param since what {@link #mark} said before. If another instance was reached meanwhile, nobody
   *     can say which of the two came later, and nothing follows
   */
  Finding reached(ServerInstance server, int since) {
    lock.lock();
    try {
      return since == mark || !isAnother(server) ? judge(server) : Finding.SAME;
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #reached}, for a periodic look. */
  Finding looked(ServerInstance server, int since) {
    lock.lock();
    try {
      if (isAnother(server)) {
        return reached(server, since);
      }
      last = server;
      agreed = Math.min(LOOKS, agreed + 1);
      if (several && agreed == LOOKS) {
        several = false;
        return Finding.ONE;
      }
      return Finding.SAME;
    } finally {
      lock.unlock();
    }
  }

  private Finding judge(ServerInstance server) {
    boolean another = isAnother(server);
    if (!server.equals(last)) {
      last = server;
      mark++;
    }
    if (!another) {
      return Finding.SAME;
    }
    boolean soon = agreed < LOOKS;
    agreed = 0;
    if (several) {
      return Finding.SAME;
    }
    several = soon;
    return soon ? Finding.SEVERAL : Finding.MOVED;
  }

  /** Not the same server, or one of the same address that was started earlier: no restart. */
  private boolean isAnother(ServerInstance server) {
    ServerInstance known = last;
    return known != null
        && (!known.sameServer(server) || server.startedMicros() < known.startedMicros());
  }
}
