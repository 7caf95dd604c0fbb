package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.durable.DurableStore;
import io.waymark.topology.DirectorySnapshots;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import io.waymark.topology.TopologyClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topology} on a SQLite file and a directory, while their service does not run. */
class TopologySqliteTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;
  private Path database;
  private Path published;

  @BeforeEach
  void aGroupIsPublished() throws Exception {
    database = folder.resolve("topology.db");
    published = Files.createDirectory(folder.resolve("published"));
    try (DurableStore store = DurableStore.sqlite(database).open();
        TopologyCoordinator service = service(store)) {
      service.update(
          "acme",
          now ->
              now.add(Member.active("acme-0").with("endpoint", "https://10.0.0.7"))
                  .add(Member.active("acme-1")));
      service.update("globex", now -> now.add(Member.active("globex-0")));
    }
  }

  private TopologyCoordinator service(DurableStore store) {
    return TopologyCoordinator.builder(store)
        .publisher(DirectorySnapshots.in(published).publisher())
        .build();
  }

  /** A command on the database. */
  private CommandRun run(String line) {
    List<String> words = new ArrayList<>(List.of("topology"));
    words.addAll(List.of(line.split(" ")));
    words.addAll(List.of("--database", database.toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** A command on both. */
  private CommandRun both(String line) {
    return run(line + " --store " + published);
  }

  private GroupSnapshot read(String group) {
    try (TopologyClient client =
        TopologyClient.builder(DirectorySnapshots.in(published).reader()).build()) {
      return client.get(group);
    }
  }

  @Test
  void listShowsTheGroupsAndThatTheStoreHasThem() {
    CommandRun run = both("list");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .containsPattern("acme +1\\.1 +2 +yes +same")
        .containsPattern("globex +1\\.1 +1 +yes +same")
        .contains("2 groups.");
  }

  @Test
  void listFindsWhatTheStoreForgot() throws Exception {
    try (var files = Files.list(published)) {
      for (Path file : files.filter(each -> each.toString().contains("globex")).toList()) {
        Files.delete(file);
      }
    }

    CommandRun run = both("list");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).containsPattern("globex .* missing in the store");
  }

  @Test
  void listInJson() {
    CommandRun run = both("list --json");

    JsonNode group = JSON.readTree(run.out()).get("groups").get(0);
    assertThat(group.propertyNames())
        .containsExactly(
            "group", "stamp", "members", "deleted", "publication", "stored", "difference");
    assertThat(group.get("group").asString()).isEqualTo("acme");
    assertThat(group.get("stored")).isEqualTo(group.get("stamp"));
    assertThat(group.get("publication").get("pending").asBoolean()).isFalse();
  }

  @Test
  void showSaysWhoIsThere() {
    CommandRun run = both("show acme");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .containsPattern("published +yes")
        .containsPattern("acme-0 +active +endpoint=https://10.0.0.7")
        .containsPattern("acme-1 +active +-");
  }

  @Test
  void whatReadersFindNeedsNoDatabase() {
    CommandRun run =
        CommandRun.of("topology", "show", "acme", "--store", published.toString(), "--json");

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = JSON.readTree(run.out());
    assertThat(json.get("stamp").isNull()).isTrue();
    assertThat(json.get("members").get(0).get("attributes").get("endpoint").asString())
        .isEqualTo("https://10.0.0.7");
  }

  @Test
  void aChangeWaitsForTheServiceAndSaysHowToDoWithout() {
    CommandRun run = run("drain acme acme-1");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("acme-1: active -> draining", "NOT PUBLISHED YET")
        .contains("--publish --store");
    assertThat(read("acme").writeSet()).hasSize(2);
    assertThat(run("show acme").out()).contains("pending for");
  }

  @Test
  void aChangeCanBePublishedFromHere() {
    CommandRun run = both("drain acme acme-1 --publish");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out()).contains("acme-1: active -> draining", "published.");
    assertThat(read("acme").writeSet()).extracting(Member::id).containsExactly("acme-0");
    assertThat(both("drain acme acme-1 --publish").out()).contains("nothing is changed");
  }

  @Test
  void aDrainedMemberIsRemoved() {
    both("drain acme acme-1 --publish");

    CommandRun run = both("remove acme acme-1 --publish --json");

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = JSON.readTree(run.out());
    assertThat(json.propertyNames())
        .containsExactly("group", "stamp", "changed", "published", "differences", "problem");
    assertThat(json.get("differences").get(0).asString()).isEqualTo("acme-1: removed");
    assertThat(read("acme").members()).hasSize(1);
  }

  @Test
  void setChangesAMemberInOneStep() {
    CommandRun run =
        both("set acme acme-1 --publish --state draining --attribute weight=2 --attribute zone=a");

    assertThat(run.status()).as(run.all()).isZero();
    Member member = read("acme").member("acme-1").orElseThrow();
    assertThat(member.state()).isEqualTo(MemberState.DRAINING);
    assertThat(member.attributes()).containsEntry("weight", "2").containsEntry("zone", "a");

    both("set acme acme-1 --publish --state active --attribute zone=");

    assertThat(read("acme").member("acme-1").orElseThrow().attributes()).containsOnlyKeys("weight");
  }

  @Test
  void setCreatesOnlyWhereThatIsAskedFor() {
    assertThat(run("set acme acme-7 --state active").status()).isEqualTo(1);

    CommandRun run = both("set initech initech-0 --create --publish");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(read("initech").writeSet()).hasSize(1);
  }

  @Test
  void deleteSaysWhatItWouldDoAndThenDoesIt() {
    CommandRun asked = run("delete acme");
    assertThat(asked.status()).isEqualTo(1);
    assertThat(asked.err()).contains("acme with 2 members", "--yes");

    CommandRun run = both("delete acme --yes --publish");

    assertThat(run.status()).as(run.all()).isZero();
    CommandRun shown = CommandRun.of("topology", "show", "acme", "--store", published.toString());
    assertThat(shown.status()).isEqualTo(1);
    assertThat(shown.err()).contains("acme", "was deleted");
  }

  @Test
  void aRaisedEpochIsInTheNextStamp() {
    CommandRun run = run("raise-epoch --yes");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out()).contains("The epoch is 2.");
    both("drain acme acme-1 --publish");
    assertThat(read("acme").stamp().epoch()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "show amce                     | there is no group \"amce\"   | did you mean acme?",
        "drain acme acme-2             | no member \"acme-2\"         | did you mean acme-",
        "drain globex globex-0         | last active member           | --force",
        "remove acme acme-1            | acme-1 is active             | topology drain acme acme-1",
        "remove globex globex-0        | the only member              | topology delete globex",
        "set globex globex-0 --state joining | last active member     | --force",
        "set amce --value x=1          | there is no group \"amce\"   | did you mean acme?",
        "take-over acme                | another authority            | --yes",
        "raise-epoch                   | anew                         | --yes",
        "watch acme                    | cannot be watched            | --store",
      })
  void whatIsRefusedNamesTheThingAndTheRemedy(String line, String thing, String remedy) {
    CommandRun run = run(line);

    assertThat(run.status()).as(run.all()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(thing, remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list --limit 0                    | --limit     | from 1 to 10000",
        "set acme --state active           | MEMBER      | is missing",
        "set acme                          | nothing to set | --value",
        "set acme acme-0 --state aktive    | --state     | did you mean active",
        "set acme acme-0 --attribute =x    | --attribute | NAME=TEXT",
        "set acme --value limits={         | --value     | no JSON",
        "drain acme                        | MEMBER      | Missing",
        "drain acme acme-1 --wait soon     | --wait      | such as 10s",
        "drain acme acme-1 --publish       | --store     | is missing",
        "lsit                              | lsit        | list, show, watch, set",
      })
  void wrongUseIsRefused(String line, String option, String accepted) {
    CommandRun run = run(line);

    assertThat(run.status()).as(run.all()).isEqualTo(2);
    assertThat(run.err()).containsIgnoringCase(accepted).contains(option);
  }

  @Test
  void aDatabaseThatIsInUseIsRefusedWithTheRemedy() throws Exception {
    try (DurableStore store = DurableStore.sqlite(database).open();
        TopologyCoordinator service = service(store)) {
      CommandRun run = run("drain acme acme-1");

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("topology.db", "is open in another", "--store", "stop it");
      assertThat(service.snapshot("acme").orElseThrow().writeSet()).hasSize(2);
    }
  }

  @Test
  void whatIsNoDatabaseIsNotMadeOne() throws Exception {
    Path other = Files.createFile(folder.resolve("other.db"));

    CommandRun missing = CommandRun.of("topology", "list", "--database", folder + "/none.db");
    CommandRun empty = CommandRun.of("topology", "list", "--database", other.toString());

    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("--database", "there is no such file");
    assertThat(folder.resolve("none.db")).doesNotExist();
    assertThat(empty.status()).isEqualTo(1);
    assertThat(empty.err()).contains("the database of a coordinator");
  }

  @Test
  void withoutAnywhereToLookItSaysWhatIsMissing() {
    CommandRun run = CommandRun.of("topology", "list");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--database or --store is missing");
  }
}
