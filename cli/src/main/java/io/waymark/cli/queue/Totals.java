package io.waymark.cli.queue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The last that each life of each process has said, and sums over all of them. */
final class Totals {
  private record Life(String who, int number) {}

  private final Map<Life, Said> last = new ConcurrentHashMap<>();
  private final Map<String, Said> newest = new ConcurrentHashMap<>();

  void heard(String who, int life, Said said) {
    if (!(said instanceof Said.Ready)) {
      last.put(new Life(who, life), said);
      newest.put(who, said);
    }
  }

  /** What the process said last; null before the first time. */
  @Nullable Said of(String who) {
    return newest.get(who);
  }

  private <T extends Said> long sum(Class<T> type, ToLongFunction<T> count) {
    return last.values().stream().filter(type::isInstance).map(type::cast).mapToLong(count).sum();
  }

  QueueCounts counts(long kills, long pauses) {
    return new QueueCounts(
        sum(Said.Pushed.class, Said.Pushed::accepted),
        sum(Said.Pushed.class, Said.Pushed::unknown),
        sum(Said.Pushed.class, Said.Pushed::notSent),
        sum(Said.Pushed.class, Said.Pushed::rejected),
        sum(Said.Took.class, Said.Took::messages),
        sum(Said.Serves.class, Said.Serves::opened),
        sum(Said.Serves.class, Said.Serves::fenced),
        newest.values().stream()
            .mapToLong(said -> said instanceof Said.Serves serves ? serves.pending() : 0)
            .sum(),
        kills,
        pauses);
  }
}
