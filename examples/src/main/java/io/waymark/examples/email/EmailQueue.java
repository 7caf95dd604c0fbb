package io.waymark.examples.email;

import io.waymark.core.Outcome;
import io.waymark.durable.FanoutMessage;
import io.waymark.objects.NamedObjects;
import io.waymark.topology.routing.Router;
import io.waymark.topology.routing.Shard;
import io.waymark.topology.routing.ShardRouter;
import io.waymark.topology.routing.Tenant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The whole queue in one process: mailboxes in files, a router in front of them, an archive and the
 * dead letters as folders.
 */
public final class EmailQueue implements AutoCloseable {
  private final NamedObjects<Mailbox> mailboxes;
  private final Router<List<FanoutMessage<Email>>, List<String>> router;
  private final MessageFolder dead;

  private EmailQueue(NamedObjects<Mailbox> mailboxes, MessageFolder dead) {
    this.mailboxes = mailboxes;
    this.dead = dead;
    this.router =
        ShardRouter.builder(Shard.class)
            .shards(shard -> shard)
            .invoke((Shard shard, List<FanoutMessage<Email>> emails) -> enqueue(shard, emails))
            .sharding(
                (emails, context, seen) ->
                    shard(context.get(Tenant.KEY).orElse(emails.get(0).body().customer())))
            .build();
  }

  /**
   * Opens a queue, and goes on with what is pending in it.
   *
   * @param folder of all its files; made if it is missing
   */
  public static EmailQueue open(Path folder, MailService service) throws IOException {
    MessageFolder archive = new MessageFolder(Files.createDirectories(folder.resolve("archive")));
    MessageFolder dead = new MessageFolder(Files.createDirectories(folder.resolve("dead-letters")));
    NamedObjects<Mailbox> mailboxes =
        NamedObjects.sqlite(
                Files.createDirectories(folder.resolve("mailboxes")),
                context -> new Mailbox(context, service, archive, dead))
            .idleAfter(Duration.ofSeconds(30))
            .keepOpenWhile(Mailbox::hasWork)
            .build();
    mailboxes.openAll();
    return new EmailQueue(mailboxes, dead);
  }

  private static Shard shard(String customer) {
    return Shard.named(customer).near("weur");
  }

  private Outcome<List<String>> enqueue(Shard shard, List<FanoutMessage<Email>> emails) {
    return mailboxes
        .get(shard.name(), shard.locationHint().orElse(null))
        .call(mailbox -> mailbox.enqueue(emails));
  }

  /**
   * The way in. All emails of a push go to one mailbox: the tenant's, else that of the first
   * email's customer. If a push throws, nobody knows whether it was accepted: push the same emails
   * again, under the same ids and for the same customer, and the mailbox recognises them.
   */
  public Router<List<FanoutMessage<Email>>, List<String>> router() {
    return router;
  }

  /** Whether a mailbox has anything to do. */
  public boolean hasWork() {
    return mailboxes.open().stream()
        .anyMatch(name -> mailboxes.<Boolean, RuntimeException>call(name, Mailbox::hasWork));
  }

  /**
   * Sends the dead letters again, each to the target that refused it, and forgets those that were
   * accepted.
   *
   * @param corrected the email as it should have been
   * @return how many were accepted
   */
  public int redrive(UnaryOperator<Email> corrected) throws IOException {
    int accepted = 0;
    for (MessageFolder.Kept letter : dead.all()) {
      Outcome<List<String>> outcome =
          mailboxes.call(
              letter.email().customer(),
              mailbox -> mailbox.redrive(letter, corrected.apply(letter.email())));
      if (outcome.isAccepted()) {
        dead.remove(letter); // after it was accepted: before, a crash would lose it
        accepted++;
      }
    }
    return accepted;
  }

  /** Stops. What is pending goes on when the queue is opened again. */
  @Override
  public void close() {
    mailboxes.close();
  }
}
