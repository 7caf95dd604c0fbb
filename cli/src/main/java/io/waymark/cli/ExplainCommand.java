package io.waymark.cli;

import io.waymark.core.Operation;
import io.waymark.core.OptionText;
import io.waymark.core.RouteDecision;
import io.waymark.postgres.Consistency;
import io.waymark.postgres.Fallback;
import io.waymark.postgres.MaxLag;
import io.waymark.postgres.Select;
import io.waymark.postgres.WaymarkDataSource;
import io.waymark.postgres.WaymarkDataSourceBuilder;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark explain}: where a call would go now, and why nowhere else. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Says where a call would go now, and why nowhere else.",
    description = {
      "",
      "Says where a call would go now, and for every other server why not. The first URL is the"
          + " primary's, the others are replica-1, replica-2 and so on. The call is one of a"
          + " session that has written nothing; nothing is sent but probes.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  the call would be served",
      "  1  it would be refused, or the primary cannot be reached",
      "  2  wrong use",
      "",
      "Example:",
      "  waymark explain --user app --max-lag 5s jdbc:postgresql://db-a/app \\",
      "      jdbc:postgresql://db-b/app"
    })
final class ExplainCommand implements Callable<Integer> {
  private static final CliOption OPERATION =
      new CliOption("--operation", "\"read\", \"write\", \"tx\" or \"lock\"");
  private static final CliOption CONSISTENCY =
      new CliOption("--consistency", "\"session\" or \"eventual\"");
  private static final CliOption FALLBACK = new CliOption("--fallback", "\"primary\" or \"error\"");
  private static final CliOption SELECT =
      new CliOption(
          "--select", "\"weighted\", \"roundRobin\", \"leastConnections\" or \"latencyAware\"");

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @CommandLine.Mixin private ServerOptions servers = new ServerOptions();

  @Option(
      names = "--operation",
      paramLabel = "WORD",
      defaultValue = "read",
      description = "read, write, tx or lock; default ${DEFAULT-VALUE}.")
  private String operation = "";

  @Option(
      names = "--consistency",
      paramLabel = "WORD",
      defaultValue = "session",
      description = "session or eventual; default ${DEFAULT-VALUE}.")
  private String consistency = "";

  @Option(
      names = "--max-lag",
      paramLabel = "LIMIT",
      description = "How far behind a replica may be and serve, such as 5s or 16MB; default: any.")
  private @Nullable String maxLag;

  @Option(
      names = "--fallback",
      paramLabel = "WORD",
      defaultValue = "primary",
      description = "primary or error, where no replica may serve; default ${DEFAULT-VALUE}.")
  private String fallback = "";

  @Option(
      names = "--select",
      paramLabel = "WORD",
      defaultValue = "weighted",
      description =
          "weighted, roundRobin, leastConnections or latencyAware; default ${DEFAULT-VALUE}.")
  private String select = "";

  ExplainCommand() {}

  @Override
  public Integer call() throws Exception {
    Map<String, String> addresses = addresses();
    Operation asked = OptionText.choice(OPERATION, operation, Operation.class);
    JsonFile json = servers.json();
    try (WaymarkDataSource db = builder().connect()) {
      RouteDecision decision = db.inspect(asked);
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      if (json == null || !json.isStdout()) {
        lines(decision, addresses).forEach(out::println);
      }
      if (json != null) {
        json.write(ExplainReport.of(decision, addresses), out);
      }
      return decision.endpoint().isPresent() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
    }
  }

  /** By the endpoints' names. */
  private Map<String, String> addresses() {
    List<String> all = servers.addresses();
    Map<String, String> addresses = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      addresses.put(i == 0 ? "primary" : "replica-" + i, all.get(i));
    }
    return addresses;
  }

  private WaymarkDataSourceBuilder builder() {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder()
            .connectTimeout(servers.timeout())
            .routing(
                routing ->
                    routing
                        .consistency(OptionText.choice(CONSISTENCY, consistency, Consistency.class))
                        .fallback(OptionText.choice(FALLBACK, fallback, Fallback.class))
                        .select(OptionText.choice(SELECT, select, Select.BuiltIn.class)));
    if (maxLag != null) {
      String limit = maxLag;
      CliOption option = new CliOption("--max-lag", "a time such as 5s or a size such as 16MB");
      builder.routing(routing -> routing.maxLag(parse(option, limit)));
    }
    List<String> urls = servers.urls();
    builder.primary(urls.get(0));
    urls.subList(1, urls.size()).forEach(builder::replica);
    String user = servers.user();
    if (user != null) {
      builder.user(user);
    }
    String password = servers.password();
    if (password != null) {
      builder.password(password);
    }
    return builder;
  }

  private static MaxLag parse(CliOption option, String text) {
    return OptionText.durationOrSize(option, text, MaxLag.Time::new, MaxLag.Bytes::new);
  }

  private static List<String> lines(RouteDecision decision, Map<String, String> addresses) {
    Table table = new Table("endpoint", "address", "verdict", "reason");
    addresses.forEach(
        (name, address) -> {
          boolean chosen = decision.endpoint().filter(name::equals).isPresent();
          String reason =
              chosen
                  ? decision.reason()
                  : decision.passedOver().stream()
                      .filter(each -> each.endpoint().equals(name))
                      .map(RouteDecision.PassedOver::reason)
                      .findFirst()
                      .orElse("?");
          table.row(name, address, chosen ? "chosen" : "passed over", reason);
        });
    List<String> lines = new ArrayList<>();
    lines.add(
        decision.operation()
            + " -> "
            + decision.endpoint().orElse("refused")
            + " ("
            + decision.reason()
            + ")");
    lines.add("");
    lines.addAll(table.lines());
    return lines;
  }
}
