package io.waymark.cli;

import io.waymark.coordinator.GroupDraft;
import io.waymark.coordinator.StateChannel;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemberState;
import java.sql.SQLException;
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
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code waymark topology set}: a member's state and attributes, or the value of a state. */
@Command(
    name = "set",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Sets a member's state and attributes, or values that all members must hold.",
    description = {
      "",
      "All of it is one change. A group, or member, that is not there is only made with --create: a"
          + " slip of the hand makes none.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  waymark topology set acme acme-1 --state active --attribute weight=2",
      "  waymark topology set acme acme-3 --create --attribute endpoint=https://10.0.0.7",
      "  waymark topology set acme --value 'limits={\"rate\":100}'"
    })
final class TopologySetCommand implements Callable<Integer> {
  private static final CliOption STATE =
      new CliOption("--state", "\"joining\", \"active\" or \"draining\"");
  private static final CliOption ATTRIBUTE = new CliOption("--attribute", "NAME=TEXT");
  private static final CliOption VALUE = new CliOption("--value", "STATE=JSON", true);
  private static final CliOption FOR = new CliOption("--for", "\"write\" or \"read\"");
  private static final JsonMapper JSON = new JsonMapper();

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "GROUP", description = "The group's name.")
  private String group = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "MEMBER",
      description = "The id of the member that --state and --attribute are about.")
  private @Nullable String member;

  @Option(
      names = "--state",
      paramLabel = "WORD",
      description = "joining, active or draining; a new member is active.")
  private @Nullable String state;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=TEXT",
      description = "An attribute of the member; without a text it is taken away.")
  private List<String> attributes = new ArrayList<>();

  @Option(
      names = "--value",
      paramLabel = "STATE=JSON",
      description = "A value that members must hold; without JSON the group has none any more.")
  private List<String> values = new ArrayList<>();

  @Option(
      names = "--for",
      paramLabel = "WORD",
      defaultValue = "write",
      description = {
        "Who gets a state that the group has no value of yet: write (active members) or read (also",
        "draining ones), as the service has it; default ${DEFAULT-VALUE}."
      })
  private String role = "";

  @Option(names = "--create", description = "Make the group, or member, if it is not there.")
  private boolean create;

  @Option(names = "--force", description = "Also if nobody would take new work then.")
  private boolean force;

  @CommandLine.Mixin private ChangeOptions change = new ChangeOptions();

  TopologySetCommand() {}

  @Override
  public Integer call() throws Exception {
    requireSomething();
    MemberState wanted = state == null ? null : OptionText.choice(STATE, state, MemberState.class);
    Map<String, String> texts = pairs(ATTRIBUTE, attributes);
    Map<String, @Nullable JsonNode> nodes = nodes();
    Map<String, StateChannel<JsonNode>> channels = channels(nodes);
    return change.change(
        group,
        List.copyOf(channels.values()),
        topology ->
            topology
                .coordinator()
                .update(
                    group,
                    now -> {
                      GroupDraft draft =
                          member == null ? now : withMember(topology, now, member, wanted, texts);
                      return withValues(topology, draft, nodes, channels);
                    }),
        Objects.requireNonNull(spec).commandLine().getOut());
  }

  private void requireSomething() {
    if (member == null && (state != null || !attributes.isEmpty())) {
      throw new OptionException(
          "MEMBER is missing. Accepted: the id of the member that --state and --attribute are"
              + " about.");
    }
    if (member == null && values.isEmpty()) {
      throw new OptionException(
          "there is nothing to set. Accepted: a MEMBER with --state, --attribute or --create;"
              + " --value.");
    }
  }

  private static Map<String, String> pairs(CliOption option, List<String> texts) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String text : texts) {
      int sign = text.indexOf('=');
      if (sign < 1) {
        throw OptionException.refused(option, text, "it has no name with a = behind it");
      }
      pairs.put(text.substring(0, sign), text.substring(sign + 1));
    }
    return pairs;
  }

  private Map<String, @Nullable JsonNode> nodes() {
    Map<String, @Nullable JsonNode> nodes = new LinkedHashMap<>();
    pairs(VALUE, values)
        .forEach((name, text) -> nodes.put(name, text.isEmpty() ? null : node(name, text)));
    return nodes;
  }

  private static JsonNode node(String name, String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw OptionException.refused(VALUE, text, "the value of " + name + " is no JSON");
    }
  }

  /** Channels with the roles that they have; a tool must not change those. */
  private Map<String, StateChannel<JsonNode>> channels(Map<String, @Nullable JsonNode> nodes)
      throws SQLException {
    Map<String, StateChannel<JsonNode>> channels = new LinkedHashMap<>();
    MemberRole other = OptionText.choice(FOR, role, MemberRole.class);
    if (!nodes.isEmpty()) {
      try (OpenTopology topology = OpenTopology.open(change.database())) {
        Map<String, MemberRole> roles = topology.coordinator().states(group);
        nodes
            .keySet()
            .forEach(
                name ->
                    channels.put(name, OpenTopology.state(name, roles.getOrDefault(name, other))));
      }
    }
    return channels;
  }

  private GroupDraft withMember(
      OpenTopology topology,
      GroupDraft now,
      String id,
      @Nullable MemberState wanted,
      Map<String, String> texts) {
    if (!create) {
      Guards.requireMember(topology, now, id);
    }
    if (wanted != null && wanted != MemberState.ACTIVE && now.exists() && !force) {
      Guards.requireAnotherActive(now, id);
    }
    Member before = now.member(id).orElse(Member.active(id));
    Map<String, String> merged = new LinkedHashMap<>(before.attributes());
    texts.forEach(
        (name, text) -> {
          if (text.isEmpty()) {
            merged.remove(name);
          } else {
            merged.put(name, text);
          }
        });
    return now.put(new Member(id, wanted == null ? before.state() : wanted, merged));
  }

  private static GroupDraft withValues(
      OpenTopology topology,
      GroupDraft draft,
      Map<String, @Nullable JsonNode> nodes,
      Map<String, StateChannel<JsonNode>> channels) {
    GroupDraft next = draft;
    for (Map.Entry<String, StateChannel<JsonNode>> each : channels.entrySet()) {
      if (draft.members().isEmpty()) {
        Guards.requireGroup(topology, draft);
      }
      JsonNode node = nodes.get(each.getKey());
      next = node == null ? next.clear(each.getValue()) : next.set(each.getValue(), node);
    }
    return next;
  }
}
