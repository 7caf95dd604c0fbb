package io.waymark.topology;

import static java.util.Objects.requireNonNull;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Configures a {@link TopologyClient}.
 *
 * <p>Nothing has to be given. Each method checks its value at once and returns this builder; what
 * concerns several values is checked by {@link #config} and {@link #build}. A value that cannot be
 * used is an {@link OptionException} that names the option, shows the value and says what is
 * accepted. Where an option is given twice the later value counts.
 *
 * <p>Durations and numbers also have a text form, see {@link #properties} and {@link
 * TopologyOption}. Not thread safe.
 */
public final class TopologyClientBuilder {
  private final SnapshotReader reader;
  private Duration ttl = initial(TopologyOption.TTL);
  private Duration negativeTtl = initial(TopologyOption.NEGATIVE_TTL);
  private Duration readTimeout = initial(TopologyOption.READ_TIMEOUT);
  private Duration staleIfError = initial(TopologyOption.STALE_IF_ERROR);
  private Duration refreshAhead = initial(TopologyOption.REFRESH_AHEAD);
  private int maxGroups = Integer.parseInt(TopologyOption.MAX_GROUPS.defaultText());
  private int highWaterGroups = Integer.parseInt(TopologyOption.HIGH_WATER_GROUPS.defaultText());
  private @Nullable Function<String, List<Member>> seed;
  private @Nullable BiFunction<String, UnavailableReason, Optional<GroupSnapshot>> fallback;
  private @Nullable Consumer<FallbackEvent> onFallback;
  private @Nullable Consumer<GroupChange> onChange;
  private LongSupplier ticker = System::nanoTime;
  private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

  TopologyClientBuilder(SnapshotReader reader) {
    this.reader = requireNonNull(reader, "reader");
  }

  private static Duration initial(TopologyOption option) {
    return OptionText.duration(option, option.defaultText());
  }

  /**
   * How long a snapshot is served before it is read again; by default 30 seconds. Each time it is
   * spread by ±20 %, also the first, so that clients that started together do not go on together.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public TopologyClientBuilder ttl(Duration ttl) {
    this.ttl = OptionValue.waitTime(TopologyOption.TTL, ttl);
    return this;
  }

  /**
   * How long the store is left alone about a group after it was missing there, or the read failed;
   * by default 5 seconds, and up to a fifth longer.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public TopologyClientBuilder negativeTtl(Duration negativeTtl) {
    this.negativeTtl = OptionValue.waitTime(TopologyOption.NEGATIVE_TTL, negativeTtl);
    return this;
  }

  /**
   * How long a read of the store may take; by default 1 second. Real time, whatever the ticker is.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public TopologyClientBuilder readTimeout(Duration readTimeout) {
    this.readTimeout = OptionValue.waitTime(TopologyOption.READ_TIMEOUT, readTimeout);
    return this;
  }

  /**
   * Serves the last good snapshot for this long after it expired, while reads of the store fail,
   * time out or give what is no snapshot; by default not at all. Never for a group that the store
   * says is missing or deleted.
   *
   * @throws OptionException if it is negative
   */
  public TopologyClientBuilder staleIfError(Duration staleIfError) {
    this.staleIfError = OptionValue.notNegative(TopologyOption.STALE_IF_ERROR, staleIfError);
    return this;
  }

  /**
   * Reads a snapshot that is asked for again in the background, this long before it expires, so
   * that no caller waits; by default not.
   *
   * @throws OptionException if it is negative; and from {@link #build} if it is not less than four
   *     fifths of the time to live
   */
  public TopologyClientBuilder refreshAhead(Duration refreshAhead) {
    this.refreshAhead = OptionValue.notNegative(TopologyOption.REFRESH_AHEAD, refreshAhead);
    return this;
  }

  /**
   * How many groups are kept; by default 10,000.
   *
   * @throws OptionException if it is not positive
   */
  public TopologyClientBuilder maxGroups(int maxGroups) {
    this.maxGroups = OptionValue.positive(TopologyOption.MAX_GROUPS, maxGroups);
    return this;
  }

  /**
   * Of how many groups the highest stamp is remembered, so that an older snapshot is recognised
   * also after the group itself had to make room; by default 100,000.
   *
   * @throws OptionException if it is not positive
   */
  public TopologyClientBuilder highWaterGroups(int highWaterGroups) {
    this.highWaterGroups = OptionValue.positive(TopologyOption.HIGH_WATER_GROUPS, highWaterGroups);
    return this;
  }

  /**
   * Derives the members of a group that cannot be had, without input or output, such as {@link
   * Members#numbered}; by default not. Tried after {@link #staleIfError}. Called for each call that
   * needs it, on the caller's thread. What throws or gives no usable members counts as not there.
   */
  public TopologyClientBuilder seed(Function<String, List<Member>> seed) {
    this.seed = requireNonNull(seed, "seed");
    return this;
  }

  /**
   * The application's own way to a group that cannot be had; by default none. Tried last, called
   * for each call that needs it, on the caller's thread, and never cached. It is told the group and
   * why it cannot be had; empty means that it does not know either. What it throws is suppressed in
   * the exception that the caller gets.
   *
   * <p>Do not ask the coordinator here: every reader would turn to it in the moment in which the
   * store is in trouble.
   */
  public TopologyClientBuilder fallback(
      BiFunction<String, UnavailableReason, Optional<GroupSnapshot>> fallback) {
    this.fallback = requireNonNull(fallback, "fallback");
    return this;
  }

  /**
   * Called each time that something stood in for a published snapshot, on the caller's thread: keep
   * it short. What it throws is logged and ignored.
   */
  public TopologyClientBuilder onFallback(Consumer<FallbackEvent> onFallback) {
    this.onFallback = requireNonNull(onFallback, "onFallback");
    return this;
  }

  /**
   * Called when what is believed of a group has changed: one after the other, in the order of the
   * changes of each group, on a thread of the client's. Where it is slow, changes of one group are
   * told as one. What it throws is logged and ignored.
   */
  public TopologyClientBuilder onChange(Consumer<GroupChange> onChange) {
    this.onChange = requireNonNull(onChange, "onChange");
    return this;
  }

  /** Monotonic nanoseconds; by default {@link System#nanoTime}. */
  public TopologyClientBuilder ticker(LongSupplier ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /** Spreads expiries; by default the thread's own random. Used by several threads at once. */
  public TopologyClientBuilder random(RandomGenerator random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /**
   * Options as texts, by the paths of {@link TopologyOption}.
   *
   * @throws OptionException if a key is no option or a text cannot be used
   */
  public TopologyClientBuilder properties(Map<String, String> texts) {
    new TreeMap<>(texts).forEach(this::property);
    return this;
  }

  private void property(String path, String text) {
    TopologyOption option =
        Arrays.stream(TopologyOption.values())
            .filter(each -> each.path().equals(path))
            .findFirst()
            .orElseThrow(
                () ->
                    OptionException.unknown(
                        path,
                        Arrays.stream(TopologyOption.values()).map(TopologyOption::path).toList()));
    switch (option) {
      case TTL -> ttl(OptionText.waitTime(option, text));
      case NEGATIVE_TTL -> negativeTtl(OptionText.waitTime(option, text));
      case READ_TIMEOUT -> readTimeout(OptionText.waitTime(option, text));
      case STALE_IF_ERROR -> staleIfError(OptionText.duration(option, text));
      case REFRESH_AHEAD -> refreshAhead(OptionText.duration(option, text));
      case MAX_GROUPS -> maxGroups(OptionText.positiveInt(option, text));
      case HIGH_WATER_GROUPS -> highWaterGroups(OptionText.positiveInt(option, text));
    }
  }

  /**
   * What has been configured so far.
   *
   * @throws OptionException if the options cannot be used together
   */
  public TopologyClientConfig config() {
    return new TopologyClientConfig(
        ttl,
        negativeTtl,
        readTimeout,
        staleIfError,
        refreshAhead,
        maxGroups,
        highWaterGroups,
        Optional.ofNullable(seed),
        Optional.ofNullable(fallback),
        Optional.ofNullable(onFallback),
        Optional.ofNullable(onChange),
        ticker,
        random);
  }

  /**
   * Builds the client and lets the reader begin to push. It needs no store that is reachable.
   *
   * @throws OptionException if the options cannot be used together; then the reader is untouched
   */
  public TopologyClient build() {
    return TopologyClient.start(reader, config());
  }
}
