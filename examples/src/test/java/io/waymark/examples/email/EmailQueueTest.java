package io.waymark.examples.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Outcome;
import io.waymark.durable.FanoutMessage;
import io.waymark.topology.routing.Tenant;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmailQueueTest {
  private final Map<String, Email> sent = new ConcurrentHashMap<>();

  private static FanoutMessage<Email> email(String id, String customer) {
    return FanoutMessage.of(id, new Email(customer, id + "@example.org", "hello"));
  }

  @Test
  void theMainShowsTheWayOfEveryEmail(@TempDir Path folder)
      throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    EmailQueueMain.run(folder, new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "acme: accepted 2",
            "zenith: accepted 1",
            "acme: accepted 1",
            "sent:         [ann@example.org, cy@example.org, dan@example.org]",
            "archived:     4",
            "dead letters: 1",
            "redriven:     1",
            "sent:         [ann@example.org, bob@example.org, cy@example.org, dan@example.org]",
            "dead letters: 0",
            "files:        " + folder);
    assertThat(folder.resolve("mailboxes/acme.db")).exists();
    assertThat(folder.resolve("mailboxes/zenith.db")).exists();
  }

  @Test
  void whatWasAcceptedWhileTheServiceWasDownIsSentByTheNextProcess(@TempDir Path folder)
      throws IOException {
    MailService down =
        (key, email) -> {
          throw new IOException("connection refused");
        };
    try (EmailQueue queue = EmailQueue.open(folder, down)) {
      Outcome<List<String>> outcome =
          queue.router().push(List.of(email("1", "acme"), email("2", "acme")));
      assertThat(outcome.isAccepted()).isTrue();
    }

    try (EmailQueue queue = EmailQueue.open(folder, sent::put)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(queue.hasWork()).isFalse());
    }

    assertThat(sent.values())
        .extracting(Email::to)
        .containsExactlyInAnyOrder("1@example.org", "2@example.org");
  }

  @Test
  void aPushThatIsMadeAgainIsRecognisedByItsMailbox(@TempDir Path folder) throws IOException {
    AtomicBoolean up = new AtomicBoolean();
    MailService service =
        (key, email) -> {
          if (!up.get()) {
            throw new IOException("connection refused");
          }
          assertThat(sent.put(key, email)).isNull();
        };
    try (EmailQueue queue = EmailQueue.open(folder, service)) {
      queue.router().push(List.of(email("1", "acme")));

      Outcome<List<String>> again = queue.router().push(List.of(email("1", "acme")));

      assertThat(again.isAccepted()).isTrue();
      up.set(true);
      await().untilAsserted(() -> assertThat(queue.hasWork()).isFalse());
    }
    assertThat(sent).hasSize(1);
  }

  @Test
  void aTenantTakesTheWholePushToItsMailbox(@TempDir Path folder) throws IOException {
    try (EmailQueue queue = EmailQueue.open(folder, sent::put)) {
      queue.router().with(Tenant.of("umbrella")).push(List.of(email("1", "acme")));
    }

    assertThat(Files.exists(folder.resolve("mailboxes/umbrella.db"))).isTrue();
    assertThat(Files.exists(folder.resolve("mailboxes/acme.db"))).isFalse();
  }
}
