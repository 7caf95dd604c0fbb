package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.ConnectionObserver;
import io.waymark.testing.TcpProxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sixteen replica endpoints, over two servers, of which some go silent at once. */
class ManyEndpointsTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final int REPLICAS = 16;
  private static final int SILENT = 5;
  private static final Duration PROBE = Duration.ofMillis(200);

  /** An interval is spread by a tenth, and another endpoint's trouble may cost 100 ms. */
  private static final Duration LONGEST = PROBE.multipliedBy(11).dividedBy(10).plusMillis(100);

  private final List<Watched> watched = new ArrayList<>();
  private Set<Thread> before = Set.of();

  /** A proxy that remembers when something was asked on its first connection, the monitor's. */
  private static final class Watched {
    private final ConcurrentLinkedQueue<Long> asked = new ConcurrentLinkedQueue<>();
    private final TcpProxy proxy;
    private boolean first = true;

    Watched(int port) {
      proxy = TcpProxy.builder().target("127.0.0.1", port).observe(this::observer).start();
    }

    private synchronized ConnectionObserver observer() {
      boolean monitor = first;
      first = false;
      return new ConnectionObserver() {
        @Override
        public void toServer(byte[] buffer, int offset, int length) {
          if (monitor) {
            asked.add(System.nanoTime());
          }
        }
      };
    }

    /** The longest pause between two questions from then on. */
    Duration longestPause(long since) {
      long last = since;
      long longest = 0;
      for (long at : asked) {
        if (at > since) {
          longest = Math.max(longest, at - last);
          last = at;
        }
      }
      return Duration.ofNanos(Math.max(longest, System.nanoTime() - last));
    }
  }

  @BeforeEach
  void start() {
    for (int i = 0; i < REPLICAS; i++) {
      watched.add(new Watched(cluster.replica(1 + i % 2).port()));
    }
    before = threads();
  }

  @AfterEach
  void stop() {
    watched.forEach(each -> each.proxy.close());
  }

  private RecordedDataSource open() throws SQLException {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder().user("postgres").primary(cluster.primary().proxyUrl());
    for (Watched each : watched) {
      builder.replica("jdbc:postgresql://127.0.0.1:" + each.proxy.port() + "/postgres");
    }
    return RecordedDataSource.open(builder, b -> b.max(2).routing(r -> r.probe(PROBE)));
  }

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** Threads of the data source: all that are new but those of the proxies. */
  private List<String> newThreads() {
    return threads().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("waymark-") && !name.startsWith("waymark-proxy-"))
        .sorted()
        .toList();
  }

  @Test
  void thoseThatAreSilentDelayNoOther() throws SQLException {
    try (RecordedDataSource source = open()) {
      for (int i = 0; i < 2 * REPLICAS; i++) {
        source.read("SELECT 1");
      }
      List<Watched> silent = watched.subList(0, SILENT);
      List<Watched> others = watched.subList(SILENT, REPLICAS);

      silent.forEach(each -> each.proxy.blackHole());

      // A busy machine may stretch one window; a delay of ours would stretch all.
      Duration shortest = Duration.ofDays(1);
      for (int window = 0; window < 5 && shortest.compareTo(LONGEST) > 0; window++) {
        Duration longest = longestPause(others);
        shortest = longest.compareTo(shortest) < 0 ? longest : shortest;
      }
      assertThat(shortest).isLessThanOrEqualTo(LONGEST);
      await()
          .until(
              () ->
                  source.db().endpoints().stream()
                          .filter(status -> status.circuit().startsWith("open"))
                          .count()
                      == SILENT);
      await()
          .untilAsserted(() -> assertThat(newThreads()).hasSizeLessThanOrEqualTo(1 + REPLICAS + 2));
    }
  }

  /** Over ten intervals, of which the worst endpoint counts. */
  private static Duration longestPause(List<Watched> of) {
    long since = System.nanoTime();
    await().pollDelay(PROBE.multipliedBy(10)).until(() -> true);
    return of.stream().map(each -> each.longestPause(since)).max(Duration::compareTo).orElseThrow();
  }
}
