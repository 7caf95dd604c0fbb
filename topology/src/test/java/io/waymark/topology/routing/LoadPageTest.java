package io.waymark.topology.routing;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.JumpHash;
import io.waymark.core.LoadSnapshot;
import io.waymark.core.Outcome;
import io.waymark.core.Rendezvous;
import io.waymark.core.RoutingLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of the docs about loads, keys and transforms: what stands there works. */
class LoadPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  private record Message(String text) {}

  private record Receipt(int messages) {}

  /** What a shard of the examples keeps its messages in. */
  private static final class Store {
    private int held;

    Outcome<Receipt> accept(List<Message> messages) {
      held += messages.size();
      return Outcome.accepted(new Receipt(messages.size()));
    }

    long pending() {
      return held;
    }
  }

  @SuppressWarnings("try") // the sample is closed, not used
  private static final class Mailbox {
    private final RoutingLoad load = new RoutingLoad();
    private final Store store;

    Mailbox(Store store) {
      this.store = store;
      load.attach(store::pending); // the exact backlog, if there is one
    }

    Outcome<Receipt> enqueue(List<Message> messages) {
      Outcome<Receipt> outcome;
      try (RoutingLoad.Sample call = load.inbound()) {
        outcome = store.accept(messages); // Outcome.accepted(…) or Outcome.rejected(…)
      }
      return outcome.with(load.snapshot()); // after the call has ended: it counts itself
    }
  }

  /** Somebody's meter. */
  private static final class PushTime {
    private final List<Long> nanos = new ArrayList<>();

    void record(long time, TimeUnit unit) {
      nanos.add(unit.toNanos(time));
    }
  }

  private final Mailbox mailbox = new Mailbox(new Store());
  private final Router<List<Message>, Receipt> router =
      ShardRouter.builder(Mailbox.class).shards(shard -> mailbox).invoke(Mailbox::enqueue).build();
  private final List<Message> messages = List.of(new Message("one"), new Message("two"));

  @Test
  void aShardCountsTheCallThatItAnswers() {
    LoadSnapshot load = mailbox.enqueue(messages).load().orElseThrow();

    assertThat(load.inbound().completed()).isEqualTo(1);
    assertThat(load.inbound().inFlight()).isZero();
    assertThat(load.pendingDeliveries()).isEqualTo(2);
  }

  @Test
  void aKeyHasAShard() {
    String customerId = "customer-7";

    Rendezvous<String> mailboxes = Rendezvous.of(List.of("eu-1", "eu-2", "us-1"));
    String shard = mailboxes.pick(customerId);

    int number = JumpHash.bucket(customerId, 16); // "shard-" + number

    // The same in every process and every version: another value here would move users' keys.
    assertThat(shard).isEqualTo("us-1");
    assertThat(number).isEqualTo(12);
  }

  @Test
  void pushesGoThroughTransforms() {
    Router<List<Message>, Receipt> acme =
        router.with(Timeout.of(Duration.ofSeconds(5))).with(Tenant.of("acme"));
    Outcome<Receipt> outcome = acme.push(messages);

    assertThat(outcome.map(Receipt::messages).isAccepted()).isTrue();
  }

  @Test
  void aTransformIsAFunction() {
    PushTime pushTime = new PushTime();

    Transform<List<Message>, Receipt> timed =
        session -> {
          long began = System.nanoTime();
          try {
            return session.next();
          } finally {
            pushTime.record(System.nanoTime() - began, NANOSECONDS);
          }
        };

    assertThat(router.with(timed).push(messages).isAccepted()).isTrue();
    assertThat(pushTime.nanos).hasSize(1);
  }

  @Test
  void theExamplesOfThePageAreThese() throws IOException {
    String source =
        plain(
            Files.readString(
                ROOT.resolve(
                    "topology/src/test/java/io/waymark/topology/routing/LoadPageTest.java")));
    List<String> examples = new ArrayList<>();
    EXAMPLE
        .matcher(Files.readString(ROOT.resolve("docs/routing.md")))
        .results()
        .map((MatchResult found) -> found.group(1))
        .filter(example -> !example.contains("ShardRouter.builder"))
        .forEach(examples::add);

    assertThat(examples).hasSize(4);
    assertThat(examples).allSatisfy(example -> assertThat(source).contains(plain(example)));
  }

  /** Without what differs between a page and a test: indentation, breaks of lines, nesting. */
  private static String plain(String code) {
    return code.replaceAll("private static final class", "final class")
        .replaceAll("\\s+", " ")
        .replaceAll("\\s*\\.\\s*", ".")
        .strip();
  }
}
