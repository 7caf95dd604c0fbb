package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/routing.md} about the router: what stands there works. */
class RoutingPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  /** A shard of the examples. */
  private record Mailbox(String name) {
    Outcome<String> enqueue(List<String> messages) {
      return messages.isEmpty()
          ? Outcome.rejected("Empty", "there is nothing to send")
          : Outcome.accepted(name + " has " + messages.size());
    }
  }

  private static final class Mail {
    private final ShardRouter<Mailbox, List<String>, String> router;

    Mail(Map<String, Mailbox> mailboxes) {
      router =
          ShardRouter.builder(Mailbox.class).shards(mailboxes).invoke(Mailbox::enqueue).build();
    }

    String send(List<String> messages) {
      Outcome<String> outcome = router.push(messages);
      if (outcome instanceof Outcome.Rejected<String> rejected) {
        throw new IllegalStateException(rejected.error().message()); // nothing was written
      }
      return outcome instanceof Outcome.Accepted<String> accepted ? accepted.value() : "";
    }
  }

  @Test
  void aRouterSendsTheWholeInputToOneShard() {
    Mail mail = new Mail(Map.of("eu", new Mailbox("eu"), "us", new Mailbox("us")));

    assertThat(mail.send(List.of("one", "two"))).isIn("eu has 2", "us has 2");
    assertThatThrownBy(() -> mail.send(List.of())).hasMessage("there is nothing to send");
  }

  private static final class ByCustomer {
    private final ShardRouter<Mailbox, List<String>, String> router;

    ByCustomer(Function<Shard, Mailbox> mailboxes) {
      router =
          ShardRouter.builder(Mailbox.class)
              .shards(mailboxes)
              .invoke(Mailbox::enqueue)
              .sharding(
                  (messages, context, seen) ->
                      Shard.named(context.get(Tenant.KEY).orElse("default")).near("weur"))
              .build();
    }
  }

  @Test
  void aRuleReadsTheTenant() {
    ByCustomer byCustomer = new ByCustomer(shard -> new Mailbox(shard.toString()));

    assertThat(byCustomer.router.with(Tenant.of("acme")).push(List.of("one")))
        .isEqualTo(Outcome.accepted("acme near weur has 1"));
  }

  @Test
  void theExamplesOfThePageAreTheseClasses() throws IOException {
    String source =
        plain(
            Files.readString(
                ROOT.resolve(
                    "topology/src/test/java/io/waymark/topology/routing/RoutingPageTest.java")));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(ROOT.resolve("docs/routing.md")))
            .results()
            .map((MatchResult found) -> found.group(1))
            .filter(example -> example.contains("ShardRouter.builder"))
            .toList();

    assertThat(examples).hasSize(2);
    assertThat(examples).allSatisfy(example -> assertThat(source).contains(plain(example)));
  }

  /** Without what differs between a page and a nested class: indentation and breaks of lines. */
  private static String plain(String code) {
    return code.replaceAll("private static final class", "final class")
        .replaceAll("\\s+", " ")
        .replaceAll("\\s*\\.\\s*", ".")
        .strip();
  }
}
