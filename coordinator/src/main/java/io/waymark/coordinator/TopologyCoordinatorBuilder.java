package io.waymark.coordinator;

import io.waymark.core.Backoff;
import io.waymark.core.Meters;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import io.waymark.durable.DurableStore;
import io.waymark.topology.SnapshotPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link TopologyCoordinator}. Not thread safe.
 *
 * <p>Methods throw {@link OptionException} for a value that cannot be used. Numbers, durations and
 * switches also have a text form: see {@link #properties} and {@link CoordinatorOption}.
 */
public final class TopologyCoordinatorBuilder {
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration APART = Duration.ofMinutes(1);
  private static final int MOST_AT_ONCE = 1_000;

  /** How options that are on or off are written. */
  private enum Switch {
    ON,
    OFF
  }

  final DurableStore store;
  @Nullable SnapshotPublisher publisher;
  final List<StateChannel<?>> states = new ArrayList<>();
  @Nullable String authority;
  int publishConcurrency = Integer.parseInt(CoordinatorOption.PUBLISH_CONCURRENCY.defaultText());
  Duration attemptTimeout = initial(CoordinatorOption.ATTEMPT_TIMEOUT);
  @Nullable Duration publishWait;
  Backoff backoff =
      new Backoff(
          initial(CoordinatorOption.BACKOFF_FIRST), initial(CoordinatorOption.BACKOFF_LONGEST));
  Duration sweepInterval = initial(CoordinatorOption.SWEEP_INTERVAL);
  boolean confirmJoining;
  boolean leavePublishing;
  @Nullable Duration emptyApart;
  Consumer<? super CoordinatorEvent> listener = event -> {};
  Meters meters = Meters.NONE;

  TopologyCoordinatorBuilder(DurableStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  private static Duration initial(CoordinatorOption option) {
    return OptionText.duration(option, option.defaultText());
  }

  /**
   * Where groups are published. The coordinator closes it with itself; if it cannot be built, the
   * publisher stays open.
   *
   * <p>A store that {@linkplain SnapshotPublisher#comparesStamps() compares stamps} never ends with
   * an older snapshot than the newest. Over one that does not, the coordinator keeps a record of
   * each write that may still land, for {@code attemptTimeout} and five minutes, does not call a
   * group published before then, and writes it again at that point; a write that lands even later
   * can leave an older snapshot there until the next change of the group. That is the weaker mode.
   */
  public TopologyCoordinatorBuilder publisher(SnapshotPublisher publisher) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
    return this;
  }

  /** A kind of value that members must hold. */
  public TopologyCoordinatorBuilder state(StateChannel<?> channel) {
    states.add(Objects.requireNonNull(channel, "channel"));
    return this;
  }

  /**
   * As whom stamps are issued; by default a random name that is made with the database and stored
   * in it. No two databases may use the same one.
   *
   * @param name at most 128 characters, no control characters, no white space around it
   */
  public TopologyCoordinatorBuilder authority(String name) {
    this.authority = OptionValue.name(CoordinatorOption.AUTHORITY, name);
    return this;
  }

  /**
   * How many groups this process publishes at once; 8 by default. One group is published by one
   * attempt at a time whatever this says; with 1, so are all of this process.
   *
   * @param groups 1 to 1,000
   */
  public TopologyCoordinatorBuilder publishConcurrency(int groups) {
    if (groups < 1 || groups > MOST_AT_ONCE) {
      throw OptionException.refused(
          CoordinatorOption.PUBLISH_CONCURRENCY, groups, "it is out of bounds");
    }
    this.publishConcurrency = groups;
    return this;
  }

  /**
   * How long one attempt to publish may take; 30 s by default.
   *
   * @param limit 1 ms to an hour
   */
  public TopologyCoordinatorBuilder attemptTimeout(Duration limit) {
    this.attemptTimeout = checked(CoordinatorOption.ATTEMPT_TIMEOUT, limit, Duration.ofMillis(1));
    return this;
  }

  /**
   * How long {@link TopologyCoordinator#update} waits after its commit to tell whether the group is
   * published; as long as one attempt may take by default, and not at all if this process leaves
   * publishing to others. Zero to not wait.
   *
   * @param limit at most an hour
   */
  public TopologyCoordinatorBuilder publishWait(Duration limit) {
    this.publishWait = checked(CoordinatorOption.PUBLISH_WAIT, limit, Duration.ZERO);
    return this;
  }

  Duration publishWait() {
    if (publishWait != null) {
      return publishWait;
    }
    return leavePublishing ? Duration.ZERO : attemptTimeout;
  }

  /** How long to wait after a failed publication; {@link Backoff#DEFAULT} by default. */
  public TopologyCoordinatorBuilder backoff(Backoff backoff) {
    this.backoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /**
   * How often the store is compared with the database, so that what it forgot is published again; 5
   * minutes by default. It is also compared at the start, and when the store says that it may have
   * forgotten something.
   *
   * @param interval 1 s to an hour
   */
  public TopologyCoordinatorBuilder sweepInterval(Duration interval) {
    this.sweepInterval = checked(CoordinatorOption.SWEEP_INTERVAL, interval, Duration.ofSeconds(1));
    return this;
  }

  /**
   * Whether joining members are made active by the coordinator; off by default, and then a joining
   * member stays that until an update changes it. If on, members get the values of all states
   * already while they are joining, and become active, by a change of the coordinator's own, when
   * all have been confirmed.
   */
  public TopologyCoordinatorBuilder confirmJoining(boolean on) {
    this.confirmJoining = on;
    return this;
  }

  /** As {@link #removeWhenEmpty(Duration)} with a minute, or off, as it is by default. */
  public TopologyCoordinatorBuilder removeWhenEmpty(boolean on) {
    this.emptyApart = on ? APART : null;
    return this;
  }

  /**
   * Draining members are removed once they have {@linkplain TopologyCoordinator#reportEmpty
   * reported themselves empty} twice.
   *
   * @param apart how much later than the first the second report must come: longer than readers may
   *     hold an old snapshot, by which they could still send something
   */
  public TopologyCoordinatorBuilder removeWhenEmpty(Duration apart) {
    this.emptyApart = checked(CoordinatorOption.REMOVE_WHEN_EMPTY, apart, Duration.ZERO);
    return this;
  }

  /**
   * Neither publishes nor delivers in this process, and needs no publisher: what is staged here is
   * left to other processes that run a coordinator over the database, as an operator's tool does
   * beside the service. On SQLite, whose file belongs to one process, it waits for the next one.
   */
  public TopologyCoordinatorBuilder leavePublishing() {
    this.leavePublishing = true;
    return this;
  }

  /**
   * Hears of attempts and of what the coordinator notices, on the thread that did it: keep it
   * short. What it throws is logged and ignored.
   */
  public TopologyCoordinatorBuilder onEvent(Consumer<? super CoordinatorEvent> listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Where attempts are timed: {@code waymark.outbox.attempt} and {@code waymark.outbox.delivery},
   * tagged with the channel, {@code waymark.topology} for publications and {@code
   * waymark.topology.} and its name for a state. Nowhere by default.
   */
  public TopologyCoordinatorBuilder meters(Meters meters) {
    this.meters = Objects.requireNonNull(meters, "meters");
    return this;
  }

  /**
   * Options as texts, by the paths of {@link CoordinatorOption}.
   *
   * @throws OptionException if a key is no option or a text cannot be used
   */
  public TopologyCoordinatorBuilder properties(Map<String, String> texts) {
    new TreeMap<>(texts).forEach(this::property);
    waits(texts);
    return this;
  }

  private void property(String path, String text) {
    CoordinatorOption option =
        Arrays.stream(CoordinatorOption.values())
            .filter(each -> each.path().equals(path))
            .findFirst()
            .orElseThrow(() -> unknown(path));
    switch (option) {
      case PUBLISH_CONCURRENCY -> publishConcurrency(OptionText.positiveInt(option, text));
      case ATTEMPT_TIMEOUT -> attemptTimeout(OptionText.duration(option, text));
      case PUBLISH_WAIT -> publishWait(OptionText.duration(option, text));
      case SWEEP_INTERVAL -> sweepInterval(OptionText.duration(option, text));
      case CONFIRM_JOINING -> confirmJoining(isOn(option, text));
      case LEAVE_PUBLISHING -> leavePublishing = isOn(option, text);
      case REMOVE_WHEN_EMPTY -> emptyApart = apart(option, text);
      case AUTHORITY -> authority(text.strip());
      case BACKOFF_FIRST, BACKOFF_LONGEST -> {} // the two are checked together
    }
  }

  private static boolean isOn(CoordinatorOption option, String text) {
    return OptionText.choice(option, text, Switch.class) == Switch.ON;
  }

  private static @Nullable Duration apart(CoordinatorOption option, String text) {
    return switch (text.strip()) {
      case "on" -> APART;
      case "off" -> null;
      default -> checked(option, OptionText.duration(option, text), Duration.ZERO);
    };
  }

  private void waits(Map<String, String> texts) {
    Duration first = wait(CoordinatorOption.BACKOFF_FIRST, texts, backoff.first());
    Duration longest = wait(CoordinatorOption.BACKOFF_LONGEST, texts, backoff.longest());
    try {
      backoff = new Backoff(first, longest);
    } catch (IllegalArgumentException e) {
      throw OptionException.refused(
          CoordinatorOption.BACKOFF_LONGEST,
          OptionText.format(longest),
          "it does not go with a first wait of " + OptionText.format(first));
    }
  }

  private static Duration wait(
      CoordinatorOption option, Map<String, String> texts, Duration otherwise) {
    String text = texts.get(option.path());
    return text == null ? otherwise : OptionText.waitTime(option, text);
  }

  private static OptionException unknown(String path) {
    List<String> paths =
        Arrays.stream(CoordinatorOption.values()).map(CoordinatorOption::path).toList();
    String hint =
        OptionText.nearest(path, paths).map(near -> "; did you mean " + near + "?").orElse("");
    return new OptionException(
        OptionText.quote(path)
            + " is not an option"
            + hint
            + ". Accepted: "
            + String.join(", ", paths)
            + ".");
  }

  private static Duration checked(CoordinatorOption option, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      String shown = value.isNegative() ? value.toString() : OptionText.format(value);
      throw OptionException.refused(option, shown, "it is out of bounds");
    }
    return value;
  }

  /**
   * The coordinator, publishing and delivering what is pending.
   *
   * @throws OptionException if there is no publisher, or an option cannot be used
   * @throws CoordinatorException if the database is another authority's
   * @throws io.waymark.durable.DurableStoreException if the database cannot be used
   * @throws IllegalStateException if there is a coordinator on this store already
   */
  public TopologyCoordinator build() {
    if (publisher == null && !leavePublishing) {
      throw new OptionException("publisher is missing. Accepted: where groups are published.");
    }
    return TopologyCoordinator.open(this, leavePublishing ? null : publisher);
  }
}
