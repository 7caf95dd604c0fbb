package io.waymark.topology;

import static io.waymark.topology.Groups.acme;
import static io.waymark.topology.Groups.snapshot;
import static io.waymark.topology.Groups.tombstone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.SeededRandom;
import io.waymark.testing.SettableTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What readers of others of this kind got wrong, with a public thread about each. */
class PeersRegressionTest {
  private static final Duration BEYOND_TTL = Duration.ofSeconds(36);
  private static final Duration BEYOND_NEGATIVE_TTL = Duration.ofSeconds(6);

  private final FakeStore store = new FakeStore();
  private final SettableTicker ticker = new SettableTicker(0);
  private final List<TopologyClient> clients = new ArrayList<>();

  @AfterEach
  void closeClients() {
    clients.forEach(TopologyClient::close);
  }

  private TopologyClientBuilder builder() {
    return TopologyClient.builder(store).ticker(ticker);
  }

  private TopologyClient client(TopologyClientBuilder builder) {
    TopologyClient client = builder.build();
    clients.add(client);
    return client;
  }

  private static UnavailableReason refusal(TopologyClient client, String group) {
    return catchThrowableOfType(TopologyUnavailableException.class, () -> client.get(group))
        .reason();
  }

  /** Curator 911: after a deletion and a re-creation that were missed, the old address stayed. */
  @Test
  void aGroupThatWasDeletedAndMadeAgainDuringAPartitionIsSeenWhenItEnds() {
    store.put(acme("1.7@c1"));
    TopologyClient client = client(builder());
    client.get("acme");
    store.listener().interrupted("partition");

    store.put(tombstone("acme", "1.8@c1")); // nobody hears of it
    store.put(acme("1.9@c1"));
    store.listener().listening();

    assertThat(client.get("acme")).isEqualTo(acme("1.9@c1"));
  }

  /** Helix 457, etcd 18089: an event that never came was waited for for ever. */
  @Test
  void whatThePushMissesTheTimeToLiveRepairs() {
    SeededRandom random = SeededRandom.create();
    store.put(acme("1.0@c1"));
    TopologyClient client = client(builder());
    client.get("acme");
    store.listener().listening();
    for (int version = 1; version <= 50; version++) {
      store.put(acme("1." + version + "@c1"));
      if (random.nextInt(3) > 0) {
        store.listener().changed("acme", Stamp.parse("1." + version + "@c1"));
      } else {
        ticker.advance(BEYOND_TTL);
      }
      assertThat(client.get("acme").stamp().version()).as("%s", random).isEqualTo(version);
    }
  }

  /** Consul 5358: an index that went backwards was refused for ever, or asked for in a loop. */
  @Test
  void aStoreThatWentBackwardsIsNotBelievedAndNotAskedInALoop() {
    store.put(acme("1.9@c1"));
    TopologyClient client = client(builder());
    GroupSnapshot newest = client.get("acme");

    store.put(acme("1.0@c1")); // restored from a backup, and its version counts from 0
    ticker.advance(BEYOND_TTL);
    for (int i = 0; i < 1_000; i++) {
      assertThat(client.get("acme")).isSameAs(newest);
    }

    assertThat(store.reads()).isEqualTo(2);
    assertThat(client.stats().older()).isEqualTo(1);

    store.put(acme("2.0@c1")); // its coordinator noticed and raised the epoch
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(client.get("acme")).isEqualTo(acme("2.0@c1"));
  }

  /**
   * franz-go 119: a topic that was created again elsewhere was refused, since its epoch was lower.
   */
  @Test
  void aGroupThatWasMadeAgainAtAnotherAuthorityIsTakenAndTheOldOneDoesNotComeBack() {
    store.put(acme("7.700@c1"));
    TopologyClient client = client(builder());
    client.get("acme");
    store.put(tombstone("acme", "7.701@c1"));
    ticker.advance(BEYOND_TTL);
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.DELETED);

    store.put(acme("1.1@c2"));
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c2"));

    store.put(acme("7.702@c1")); // what the first one still had under way
    ticker.advance(BEYOND_TTL);
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c2"));
  }

  /** Helix 1118: a new session read from a server that lagged, and went back. */
  @Test
  void readsThatAlternateBetweenAServerThatLagsAndOneThatDoesNotNeverGoBack() {
    AtomicInteger reads = new AtomicInteger();
    store.answer(
        group -> {
          int version = reads.incrementAndGet();
          String stamp = "1." + (version % 2 == 0 ? version : version / 2) + "@c1";
          return CompletableFuture.completedFuture(Optional.of(SnapshotCodec.encode(acme(stamp))));
        });
    TopologyClient client = client(builder());
    long highest = -1;
    for (int i = 0; i < 200; i++) {
      long version = client.get("acme").stamp().version();
      assertThat(version).isGreaterThanOrEqualTo(highest);
      highest = version;
      ticker.advance(BEYOND_TTL);
    }
    assertThat(highest).isGreaterThan(100);
  }

  /** Pinot 6068, Nacos 5163: no answer was taken for an empty list, and everything was removed. */
  @Test
  void anErrorAnAbsenceADeletionAndAnEmptyListAreFourThings() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().staleIfError(Duration.ofHours(1)));
    GroupSnapshot good = client.get("acme");

    store.fail();
    ticker.advance(BEYOND_TTL);
    assertThat(client.get("acme")).as("an error removes nothing").isSameAs(good);

    store.recover().put("acme", SnapshotCodec.encode(acme("1.2@c1")).replaceAll("\\[.*]", "[]"));
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(client.get("acme")).as("nor does an empty list, which nobody writes").isSameAs(good);
    assertThat(client.inspect("acme").failure()).contains(UnavailableReason.INVALID);

    store.put(tombstone("acme", "1.3@c1"));
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.DELETED);

    store.remove("acme");
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.MISSING);

    assertThatThrownBy(() -> new GroupSnapshot("acme", Stamp.parse("1.4@c1"), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Curator 848: whoever started while the store was down stayed empty for ever. */
  @Test
  void aStoreThatIsDownAtTheStartIsUsedOnceItIsUp() {
    store.fail();
    TopologyClient client = client(builder());
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.FAILED);
    assertThat(client.inspect("acme").silent()).contains("not begun");

    store.recover().put(acme("1.1@c1"));
    store.listener().listening(); // what asked before is read again at once

    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
    assertThat(client.inspect("acme").silent()).isEmpty();
  }

  /** As above, with a store that does not push: the negative time to live ends the wait. */
  @Test
  void withoutAPushItIsUsedAfterTheNegativeTimeToLive() {
    store.fail();
    TopologyClient client = client(builder());
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.FAILED);

    store.recover().put(acme("1.1@c1"));
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.FAILED);
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
  }

  /** Jedis 4154: each of many failing calls renewed the slots, and throughput fell to a quarter. */
  @Test
  void aThousandFailingReadersCostOneReadInEachInterval() throws Exception {
    store.fail();
    TopologyClient client = client(builder());
    int readers = 1_000;
    for (int interval = 1; interval <= 3; interval++) {
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger refused = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        Thread reader =
            new Thread(
                () -> {
                  try {
                    go.await();
                    client.get("acme");
                  } catch (TopologyUnavailableException e) {
                    refused.incrementAndGet();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        reader.start();
        threads.add(reader);
      }
      go.countDown();
      for (Thread reader : threads) {
        reader.join();
      }

      assertThat(refused).hasValue(readers);
      assertThat(store.reads()).isEqualTo(interval);
      ticker.advance(BEYOND_NEGATIVE_TTL);
    }
  }

  /** nri-kubernetes 177: clients that started together asked together ever after. */
  @Test
  void clientsThatStartTogetherDoNotGoOnTogether() {
    SeededRandom random = SeededRandom.create();
    int readers = 1_000;
    store.put(acme("1.1@c1"));
    for (int i = 0; i < readers; i++) {
      client(builder().random(random.split()));
    }
    List<Integer> readsPerSecond = new ArrayList<>();
    for (int second = 0; second < 300; second++) {
      int before = store.reads();
      clients.forEach(each -> each.get("acme"));
      readsPerSecond.add(store.reads() - before);
      ticker.advance(Duration.ofSeconds(1));
    }

    assertThat(readsPerSecond.get(0)).as("they do start together").isEqualTo(readers);
    List<Integer> later = readsPerSecond.subList(90, 300); // after three times the time to live
    double mean = later.stream().mapToInt(each -> each).average().orElseThrow();
    int peak = later.stream().mapToInt(each -> each).max().orElseThrow();
    assertThat(mean).as("%s", random).isBetween(readers / 36.0, readers / 24.0);
    assertThat(peak).as("%s, mean %s", random, mean).isLessThanOrEqualTo((int) (3 * mean));
  }

  /**
   * Curator 962, Lettuce: after a step of the wall clock everything had expired, or nothing did.
   */
  @Test
  void nothingAsksTheWallClock() throws IOException {
    Path sources = Path.of(System.getProperty("basedir", ".")).resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> all = files.filter(path -> path.toString().endsWith(".java")).toList();
      assertThat(all).hasSizeGreaterThan(30);
      for (Path file : all) {
        assertThat(Files.readString(file))
            .as("%s", file)
            .doesNotContain("currentTimeMillis", "Instant.now", "java.time.Clock", "new Date(");
      }
    }
  }

  /** A machine that slept: its ticker jumps, and what is kept is as old as it says. */
  @Test
  void afterAPauseOfHoursWhatIsKeptIsReadAgainAndNotBelieved() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().staleIfError(Duration.ofMinutes(5)));
    client.get("acme");
    store.fail();

    ticker.advance(Duration.ofHours(2));

    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.FAILED);
    store.recover().put(acme("1.2@c1"));
    ticker.advance(BEYOND_NEGATIVE_TTL);
    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
  }

  /** grpc-java 4745: a refresh in the cool-down was dropped, and the client stuck. */
  @Test
  void aChangeThatIsToldWhileTheStoreIsLeftAloneIsNotForgotten() {
    TopologyClient client = client(builder());
    store.listener().listening();
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.MISSING);

    store.put(acme("1.1@c1"));
    store.listener().changed("acme", Stamp.parse("1.1@c1"));

    assertThat(client.get("acme")).isEqualTo(acme("1.1@c1"));
  }

  /** Jedis 1252: the cache was cleared before the new data was there. */
  @Test
  void aReadThatFailsMidwayLeavesWhatWasThere() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder().staleIfError(Duration.ofHours(1)));
    GroupSnapshot good = client.get("acme");

    String cut = SnapshotCodec.encode(acme("1.2@c1"));
    store.put("acme", cut.substring(0, cut.length() - 5));
    ticker.advance(BEYOND_TTL);

    assertThat(client.get("acme")).isSameAs(good);
  }

  /**
   * spring-cloud-commons 1254: a busy reader never saw a change, since each use renewed the entry.
   */
  @Test
  void aBusyReaderSeesAChangeWithinTheTimeToLive() {
    store.put(acme("1.1@c1"));
    TopologyClient client = client(builder());
    client.get("acme");
    store.put(acme("1.2@c1"));

    for (int second = 0; second < 36; second++) {
      ticker.advance(Duration.ofSeconds(1));
      client.get("acme");
    }

    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
  }

  /** Ribbon 438: an error in a listener ended the thread that brought updates. */
  @Test
  void anErrorInAListenerDoesNotEndTheUpdates() {
    AtomicInteger told = new AtomicInteger();
    store.put(acme("1.1@c1"));
    TopologyClient client =
        client(
            builder()
                .onChange(
                    change -> {
                      if (told.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("of a listener's");
                      }
                    }));
    client.get("acme");
    await().until(() -> told.get() == 1);

    store.put(acme("1.2@c1"));
    store.listener().changed("acme", null);

    assertThat(client.get("acme")).isEqualTo(acme("1.2@c1"));
    await().until(() -> told.get() == 2);
  }

  /** Lettuce 3854: views of different ages were ranked by anything but their version. */
  @Test
  void theEpochCountsBeforeTheVersion() {
    store.put(acme("2.1@c1"));
    TopologyClient client = client(builder());
    client.get("acme");

    store.put(acme("1.999@c1"));
    ticker.advance(BEYOND_TTL);

    assertThat(client.get("acme")).isEqualTo(acme("2.1@c1"));
  }

  /** A store without persistence restarted: what was there is not there, and then is again. */
  @Test
  void aStoreThatForgotAndWasFilledAgainServesTheSameSnapshotAgain() {
    store.put(snapshot("acme", "1.5@c1"));
    TopologyClient client = client(builder());
    client.get("acme");
    store.listener().interrupted("restart");
    store.remove("acme");
    store.listener().listening();
    assertThat(refusal(client, "acme")).isEqualTo(UnavailableReason.MISSING);

    store.put(snapshot("acme", "1.5@c1"));
    store.listener().changed("acme", Stamp.parse("1.5@c1"));

    assertThat(client.get("acme")).isEqualTo(acme("1.5@c1"));
  }
}
