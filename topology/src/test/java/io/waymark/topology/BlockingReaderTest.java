package io.waymark.topology;

import static io.waymark.topology.Groups.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingReaderTest {
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger reads = new AtomicInteger();
  private final SnapshotReader reader =
      SnapshotReader.blocking(
          group -> {
            reads.incrementAndGet();
            if (group.startsWith("hanging")) {
              release.await();
            }
            return Optional.of(SnapshotCodec.encode(snapshot(group, "1.1@c1")));
          });

  @AfterEach
  void close() {
    release.countDown();
    reader.close();
  }

  private CompletableFuture<Optional<String>> ask(String group) {
    return reader.read(group).toCompletableFuture();
  }

  private void hang() {
    for (int i = 0; i < 8; i++) {
      assertThat(ask("hanging-" + i)).isNotDone();
    }
    await().until(() -> reads.get() == 8);
  }

  @Test
  void aReadThatHangsHoldsUpNoOther() throws Exception {
    CompletableFuture<Optional<String>> hanging = ask("hanging");

    assertThat(ask("acme").get(30, TimeUnit.SECONDS)).isPresent();

    assertThat(hanging).isNotDone();
  }

  @Test
  void whileAllHangWhatIsAskedForWaitsOnceForEachGroup() throws Exception {
    hang();
    List<CompletableFuture<Optional<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      waiting.add(ask("acme-" + i % 2));
    }
    assertThat(waiting).allSatisfy(each -> assertThat(each).isNotDone());

    release.countDown();

    for (CompletableFuture<Optional<String>> each : waiting) {
      assertThat(each.get(30, TimeUnit.SECONDS)).isPresent();
    }
    assertThat(reads).hasValue(10);
  }

  @Test
  void aFailureIsOneAndTheNextReadIsAnother() {
    SnapshotReader failing =
        SnapshotReader.blocking(
            group -> {
              throw new IOException("read " + reads.incrementAndGet());
            });
    try (failing) {
      for (String message : List.of("read 1", "read 2")) {
        assertThatThrownBy(
                () -> failing.read("acme").toCompletableFuture().get(30, TimeUnit.SECONDS))
            .hasRootCauseMessage(message);
      }
    }
  }

  @Test
  void whoWaitsWhenItIsClosedIsTold() {
    hang();
    CompletableFuture<Optional<String>> waiting = ask("acme");

    reader.close();

    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS)).hasStackTraceContaining("closed");
    assertThatThrownBy(() -> ask("acme").get(30, TimeUnit.SECONDS))
        .hasStackTraceContaining("closed");
  }
}
