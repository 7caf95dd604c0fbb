package io.waymark.examples.email;

import io.waymark.core.Outcome;
import io.waymark.durable.FanoutMessage;
import io.waymark.topology.routing.Tenant;
import io.waymark.topology.routing.Timeout;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the email queue for a moment: pushes emails, shows where they end, redrives a dead letter.
 */
public final class EmailQueueMain {
  private static final String MISSPELT = "bob@exmaple.org";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private EmailQueueMain() {}

  /**
   * Runs it.
   *
   * @param args the folder of the queue; a new one by default
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    run(args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("email-queue-"), System.out);
  }

  static void run(Path folder, PrintStream out) throws IOException, InterruptedException {
    Map<String, Email> sent = new ConcurrentHashMap<>();
    MailService service =
        (key, email) -> {
          if (email.to().equals(MISSPELT)) {
            throw new MailService.UnknownAddress(email.to());
          }
          sent.putIfAbsent(key, email); // the same key again: sent already
        };
    try (EmailQueue queue = EmailQueue.open(folder, service)) {
      push(queue, out, "acme", List.of("ann@example.org", MISSPELT));
      push(queue, out, "zenith", List.of("cy@example.org"));
      push(queue, out, "acme", List.of("dan@example.org"));
      awaitDone(queue);
      out.println("sent:         " + recipients(sent));
      out.println("archived:     " + count(folder.resolve("archive")));
      out.println("dead letters: " + count(folder.resolve("dead-letters")));

      int redriven =
          queue.redrive(email -> new Email(email.customer(), "bob@example.org", email.text()));
      awaitDone(queue);
      out.println("redriven:     " + redriven);
      out.println("sent:         " + recipients(sent));
      out.println("dead letters: " + count(folder.resolve("dead-letters")));
    }
    out.println("files:        " + folder);
  }

  private static void push(EmailQueue queue, PrintStream out, String customer, List<String> to) {
    List<FanoutMessage<Email>> emails =
        to.stream()
            .map(each -> FanoutMessage.of(new Email(customer, each, "Your invoice is ready.")))
            .toList();
    Outcome<List<String>> outcome =
        queue
            .router()
            .with(Timeout.of(Duration.ofSeconds(5)))
            .with(Tenant.of(customer))
            .push(emails);
    out.println(
        customer + ": " + (outcome.isAccepted() ? "accepted " : "rejected ") + emails.size());
  }

  private static void awaitDone(EmailQueue queue) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (queue.hasWork() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static List<String> recipients(Map<String, Email> sent) {
    return sent.values().stream().map(Email::to).sorted().toList();
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).count();
    }
  }
}
