package io.waymark.objects;

import io.waymark.core.OptionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that are open, opening or closing, one slot for each name, and who uses them. The
 * lock is held for moments only: opening, closing and all code of the user's run outside of it, and
 * those who come meanwhile wait for the slot.
 */
final class Slots<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Slots.class);

  private enum State {
    OPENING,
    OPEN,
    CLOSING
  }

  /** One name. Everything that changes is guarded by the lock. */
  static final class Slot<T> {
    private final String name;

    /** Done when it is open, or cannot be opened. */
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    /** Done when the slot is not there any more. */
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    private State state = State.OPENING;
    private int users = 1;
    private long lastUsed;
    private Home.@Nullable Place place;
    private @Nullable T object;

    private Slot(String name) {
      this.name = name;
    }

    /** The object, for who has acquired the slot. */
    T object() {
      T open = object;
      if (open == null) {
        throw new IllegalStateException(name + " is not open");
      }
      return open;
    }

    private boolean isUnused() {
      return state == State.OPEN && users == 0;
    }

    private boolean isLost() {
      return place != null && place.isLost();
    }
  }

  private final Home home;
  private final ObjectFactory<? extends T> factory;
  private final Predicate<? super T> busy;
  private final int maxOpen;
  private final long idleNanos;
  private final LongSupplier ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Slot<T>> slots = new HashMap<>();
  private boolean closed;
  private boolean homeClosed;

  Slots(Home home, NamedObjectsBuilder<T> options) {
    this.home = home;
    this.factory = options.factory;
    this.busy = options.busy;
    this.maxOpen = options.maxOpen;
    this.idleNanos = options.idleAfter.toNanos();
    this.ticker = options.ticker;
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  // ---- using -----------------------------------------------------------------------------------

  /** The open slot of a name, which is not closed before it is released. */
  Slot<T> acquire(String name, @Nullable String hint) {
    while (true) {
      Slot<T> own = null;
      Slot<T> present;
      boolean lost = false;
      lock.lock();
      try {
        if (closed) {
          throw new ObjectException(ObjectError.CLOSED, "the objects in " + home + " are closed");
        }
        present = slots.get(name);
        if (present == null && slots.size() < maxOpen) {
          own = new Slot<>(name);
          slots.put(name, own);
        } else if (present != null && present.state == State.OPEN) {
          lost = present.isLost();
          if (!lost) {
            present.users++;
            return present;
          }
        }
      } finally {
        lock.unlock();
      }
      if (own != null) {
        open(own, hint);
        return own;
      }
      if (present == null) {
        makeRoom(name);
      } else if (lost) {
        discard(present);
      } else {
        await(present);
      }
    }
  }

  void release(Slot<T> slot) {
    lock.lock();
    try {
      slot.users--;
      slot.lastUsed = ticker.getAsLong();
      if (!slot.isUnused() || !(closed || slot.isLost())) {
        return;
      }
      slot.state = State.CLOSING;
    } finally {
      lock.unlock();
    }
    shut(slot);
  }

  private void await(Slot<T> slot) {
    CompletableFuture<Void> event = slot.opened.isDone() ? slot.gone : slot.opened;
    try {
      event.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ObjectException(
          ObjectError.NOT_OPENED, "interrupted while " + slot.name + " was opened or closed", e);
    } catch (ExecutionException e) {
      throw failure(slot.name, e.getCause() == null ? e : e.getCause());
    }
  }

  /** It is another process's now: closed here as soon as no call uses it. */
  private void discard(Slot<T> slot) {
    if (!closeIfUnused(slot)) {
      throw new ObjectException(
          ObjectError.ELSEWHERE,
          slot.name + " was taken over by another process, and calls from before have not ended");
    }
  }

  // ---- opening ---------------------------------------------------------------------------------

  private void open(Slot<T> slot, @Nullable String hint) {
    Home.Place place = null;
    try {
      place = home.open(slot.name, hint);
      T made = factory.open(place.context());
      lock.lock();
      try {
        slot.place = place;
        slot.object = Objects.requireNonNull(made, "the factory returned null");
        slot.state = State.OPEN;
      } finally {
        lock.unlock();
      }
      slot.opened.complete(null);
    } catch (Throwable e) { // whatever it is, those who wait must hear of it
      if (place != null) {
        place.close();
      }
      remove(slot);
      slot.opened.completeExceptionally(e);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw failure(slot.name, e);
    }
  }

  private static RuntimeException failure(String name, Throwable cause) {
    if (cause instanceof ObjectException same) {
      return new ObjectException(same.error(), plain(same), same);
    }
    if (cause instanceof OptionException refused) {
      return refused;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new ObjectException(
        ObjectError.NOT_OPENED, name + " could not be opened: " + cause.getMessage(), cause);
  }

  private static String plain(ObjectException exception) {
    return String.valueOf(exception.getMessage()).substring(exception.code().length() + 2);
  }

  /** Closes the object that was unused for longest, of those that have no work. */
  private void makeRoom(String name) {
    List<Slot<T>> unused;
    lock.lock();
    try {
      long now =
          ticker.getAsLong(); // one moment for all, and no use meanwhile: an order is an order
      unused = unused();
      unused.sort(Comparator.comparingLong(slot -> slot.lastUsed - now));
    } finally {
      lock.unlock();
    }
    if (unused.stream().noneMatch(this::closeIfUnused)) {
      throw new ObjectException(
          ObjectError.TOO_MANY,
          name + " cannot be opened: " + maxOpen + " objects are open and in use or have work");
    }
  }

  private List<Slot<T>> unused() {
    List<Slot<T>> unused = new ArrayList<>();
    slots.values().stream().filter(Slot::isUnused).forEach(unused::add);
    return unused;
  }

  // ---- closing ---------------------------------------------------------------------------------

  /** Closes what was not used for long and has no work, and what is another process's now. */
  void sweep() {
    List<Slot<T>> idle = new ArrayList<>();
    lock.lock();
    try {
      long now = ticker.getAsLong();
      for (Slot<T> slot : unused()) {
        if (slot.isLost() || now - slot.lastUsed >= idleNanos) {
          idle.add(slot);
        }
      }
    } finally {
      lock.unlock();
    }
    idle.forEach(this::closeIfUnused);
  }

  /** Closes it unless somebody uses it or it has work; whether it was closed. */
  private boolean closeIfUnused(Slot<T> slot) {
    lock.lock();
    try {
      if (!slot.isUnused()) {
        return false;
      }
      slot.users++; // so that it stays open while it is asked
    } finally {
      lock.unlock();
    }
    boolean keep = !slot.isLost() && isBusy(slot);
    lock.lock();
    try {
      slot.users--;
      if (keep) {
        slot.lastUsed = ticker.getAsLong(); // to be asked again after a while
      }
      boolean close = slot.isUnused() && (!keep || closed);
      if (!close) {
        return false;
      }
      slot.state = State.CLOSING;
    } finally {
      lock.unlock();
    }
    shut(slot);
    return true;
  }

  private boolean isBusy(Slot<T> slot) {
    try {
      return busy.test(slot.object());
    } catch (RuntimeException e) {
      LOG.warn("{} did not tell whether it has work; it stays open", slot.name, e);
      return true;
    }
  }

  private void shut(Slot<T> slot) {
    T object = slot.object();
    if (object instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        LOG.warn("{} failed to close; its store is closed all the same", slot.name, e);
      }
    }
    Objects.requireNonNull(slot.place).close();
    remove(slot);
  }

  private void remove(Slot<T> slot) {
    boolean last;
    lock.lock();
    try {
      slots.remove(slot.name, slot);
      changed.signalAll();
      last = closed && slots.isEmpty() && !homeClosed;
      homeClosed |= last;
    } finally {
      lock.unlock();
    }
    slot.gone.complete(null);
    if (last) {
      home.close();
    }
  }

  /**
   * Closes everything that is unused, waits for the rest, and leaves what then is still in use to
   * the end of its last call.
   */
  void close(Duration grace) {
    List<Slot<T>> unused;
    boolean last;
    lock.lock();
    try {
      closed = true;
      unused = unused();
      unused.forEach(slot -> slot.state = State.CLOSING);
      last = slots.isEmpty() && !homeClosed;
      homeClosed |= last;
    } finally {
      lock.unlock();
    }
    unused.forEach(this::shut);
    if (last) {
      home.close();
    }
    awaitEmpty(grace);
  }

  private void awaitEmpty(Duration grace) {
    lock.lock();
    try {
      long left = grace.toNanos();
      while (!slots.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (!slots.isEmpty()) {
        LOG.warn("{} are closed when their calls end", slots.keySet());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Names of what is open, sorted. */
  List<String> open() {
    lock.lock();
    try {
      return slots.values().stream()
          .filter(slot -> slot.state == State.OPEN)
          .map(slot -> slot.name)
          .sorted()
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
