package io.waymark.objects;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Named shards, each an object of the application's with a durable store of its own.
 *
 * <pre>{@code
 * NamedObjects<Mailbox> mailboxes =
 *     NamedObjects.sqlite(Path.of("mailboxes"), context -> new Mailbox(context.store())).build();
 *
 * mailboxes.call("acme", mailbox -> mailbox.enqueue(messages));
 * ObjectRef<Mailbox> acme = mailboxes.get("acme");   // opens nothing
 * }</pre>
 *
 * <ul>
 *   <li>An object is opened by the first call of its name, once, however many calls come at that
 *       moment; those wait for it.
 *   <li>It is closed when it was idle and has no work ({@link NamedObjectsBuilder#keepOpenWhile}),
 *       or when there must be room for another, and never while a call is in it.
 *   <li>A name has one owner. With SQLite that is who holds the operating system's lock beside its
 *       file. With PostgreSQL it is who has its lease, and whoever lost that commits nothing any
 *       more: every transaction of the object's store checks its fence first.
 *   <li>Calls of one object run at the same time; the object must be thread safe. Its store runs
 *       transactions one after the other on SQLite.
 *   <li>Nothing here calls again: a call runs once or not at all.
 * </ul>
 *
 * <p>Thread safe.
 *
 * @param <T> the objects
 */
public final class NamedObjects<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NamedObjects.class);

  /** Idle objects are looked for so often in the time after which they count as idle. */
  private static final int LOOKS = 4;

  private static final long SHORTEST_LOOK_MILLIS = 10;
  private static final long LONGEST_LOOK_MILLIS = 10_000;

  private final Home home;
  private final Slots<T> slots;
  private final NamedObjectsBuilder<T> options;
  private final ScheduledThreadPoolExecutor sweeping;

  NamedObjects(NamedObjectsBuilder<T> options, Home home) {
    this.home = home;
    this.options = options;
    this.slots = new Slots<>(home, options);
    this.sweeping =
        new ScheduledThreadPoolExecutor(1, task -> Slots.daemon(task, "waymark-objects-idle"));
    long every =
        Math.max(
            SHORTEST_LOOK_MILLIS,
            Math.min(LONGEST_LOOK_MILLIS, options.idleAfter.toMillis() / LOOKS));
    var unused =
        sweeping.scheduleWithFixedDelay(this::sweepQuietly, every, every, TimeUnit.MILLISECONDS);
  }

  /**
   * Objects with a SQLite file each, owned by this process while they are open. The driver, {@code
   * org.xerial:sqlite-jdbc}, must be on the class path.
   *
   * @param folder of the files; it must exist. Several processes may use it, each name belongs to
   *     one at a time
   * @param factory makes an object when it is opened
   */
  public static <T> NamedObjectsBuilder<T> sqlite(Path folder, ObjectFactory<? extends T> factory) {
    return new NamedObjectsBuilder<>(Objects.requireNonNull(folder, "folder"), null, "", factory);
  }

  /**
   * Objects in a PostgreSQL database that several processes share, each name owned by one of them
   * under a lease. A name has a schema of its own for its tables.
   *
   * @param source connections that may write; stays the caller's to close
   * @param collection tells objects of one kind from others in the database; the rules of names
   *     apply
   * @param factory makes an object when it is opened
   */
  public static <T> NamedObjectsBuilder<T> postgres(
      DataSource source, String collection, ObjectFactory<? extends T> factory) {
    return new NamedObjectsBuilder<>(
        null, Objects.requireNonNull(source, "source"), ObjectNames.check(collection), factory);
  }

  /**
   * A name to be called, without a hint. Opens nothing.
   *
   * @param name up to 128 characters, not blank, no white space around it, no control characters
   * @throws io.waymark.core.OptionException if it is no such name
   */
  public ObjectRef<T> get(String name) {
    return get(name, null);
  }

  /**
   * A name to be called. Opens nothing.
   *
   * @param name as for {@link #get(String)}
   * @param hint where the object would best be; kept when the name is used for the first time, and
   *     told to the factory from then on. Null for none
   */
  public ObjectRef<T> get(String name, @Nullable String hint) {
    return new ObjectRef<>(
        this, ObjectNames.check(name), hint == null ? null : ObjectNames.checkHint(hint));
  }

  /**
   * Opens the object if it is not open, and calls it once, on this thread.
   *
   * @return what the call returned
   * @throws X what the call threw
   * @throws ObjectException if the object cannot be opened; then nothing was called
   */
  public <R, X extends Exception> R call(String name, ObjectCall<? super T, R, X> call) throws X {
    return call(ObjectNames.check(name), null, call);
  }

  <R, X extends Exception> R call(
      String name, @Nullable String hint, ObjectCall<? super T, R, X> call) throws X {
    Slots.Slot<T> slot = slots.acquire(name, hint);
    try {
      return call.with(slot.object());
    } finally {
      slots.release(slot);
    }
  }

  /** All names that were ever used, sorted, whoever owns them now. */
  public List<String> names() {
    return home.names();
  }

  /** The names of the objects that are open in this process, sorted. */
  public List<String> open() {
    return slots.open();
  }

  /**
   * Opens every name that was ever used, so that what is pending there goes on after a start; those
   * without work are closed again when they have been idle. Names of other processes are passed
   * over.
   *
   * @return what could not be opened and why; {@link ObjectError#ELSEWHERE} is none of it
   */
  public Map<String, ObjectException> openAll() {
    Map<String, ObjectException> failed = new TreeMap<>();
    for (String name : names()) {
      try {
        slots.release(slots.acquire(name, null));
      } catch (ObjectException e) {
        if (e.error() == ObjectError.CLOSED) {
          throw e;
        }
        if (e.error() != ObjectError.ELSEWHERE) {
          failed.put(name, e);
        }
      }
    }
    return failed;
  }

  private void sweepQuietly() {
    try {
      sweep();
    } catch (RuntimeException | Error e) { // the next look must come
      LOG.warn("idle objects could not be closed", e);
    }
  }

  /** For tests that move the ticker. */
  void sweep() {
    slots.sweep();
  }

  /** For tests: what the process does now and then. */
  void renewLeases() {
    if (home instanceof LeaseHome leases) {
      leases.renew();
    }
  }

  /** For tests: as if the process stood still, no lease is renewed any more. */
  void standStill() {
    if (home instanceof LeaseHome leases) {
      leases.renewNoMore();
    }
  }

  /**
   * Refuses new calls, closes all objects that are not in use, and waits for the others as long as
   * {@link NamedObjectsBuilder#closeWait}. An object that is in use even then is closed by the end
   * of its last call. May be called again.
   */
  @Override
  public void close() {
    sweeping.shutdownNow();
    slots.close(options.closeWait);
  }

  @Override
  public String toString() {
    return "NamedObjects[" + home + "]";
  }
}
