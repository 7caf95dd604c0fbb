package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotCodecTest {
  private static final List<MemberState> STATES = List.of(MemberState.values());
  private static final Stamp STAMP = new Stamp("c1", 1, 7);
  private static final String HEAD =
      "{\"format\":1,\"group\":\"acme\",\"authority\":\"c1\",\"epoch\":1,\"version\":7";
  private static final String MEMBERS = ",\"members\":[{\"id\":\"a\",\"state\":\"active\"}]";

  @Test
  void theEncodedFormIsThisJson() {
    GroupSnapshot acme =
        new GroupSnapshot(
            "acme",
            STAMP,
            List.of(
                Member.active("acme-0").with("zone", "z").with("endpoint", "https://10.0.0.7"),
                Member.draining("acme-1")));

    assertThat(SnapshotCodec.encode(acme))
        .isEqualTo(
            HEAD
                + ",\"members\":[{\"id\":\"acme-0\",\"state\":\"active\",\"attributes\":"
                + "{\"endpoint\":\"https://10.0.0.7\",\"zone\":\"z\"}},"
                + "{\"id\":\"acme-1\",\"state\":\"draining\"}]}");
    assertThat(SnapshotCodec.encode(new Tombstone("acme", STAMP)))
        .isEqualTo(HEAD + ",\"deleted\":true}");
  }

  @Test
  void whatIsEncodedIsDecodedToTheSame() {
    SeededRandom random = SeededRandom.create();
    for (int i = 0; i < 500; i++) {
      Published published = any(random);
      String encoded = SnapshotCodec.encode(published);

      assertThat(SnapshotCodec.decode(published.group(), encoded))
          .as("%s", random)
          .isEqualTo(published);
      assertThat(SnapshotCodec.encode(SnapshotCodec.decode(published.group(), encoded)))
          .as("%s", random)
          .isEqualTo(encoded);
    }
  }

  private static Published any(SeededRandom random) {
    String group = name(random);
    Stamp stamp =
        new Stamp(
            name(random), random.nextLong() >>> 1, random.nextLong() >>> random.nextInt(1, 64));
    if (random.nextInt(5) == 0) {
      return new Tombstone(group, stamp);
    }
    List<Member> members = new ArrayList<>();
    for (int i = random.nextInt(1, 10); i > 0; i--) {
      MemberState state = STATES.get(random.nextInt(STATES.size()));
      Member member = Member.active(i + name(random)).in(state);
      for (int j = random.nextInt(4); j > 0; j--) {
        member = member.with(name(random), name(random));
      }
      members.add(member);
    }
    return new GroupSnapshot(group, stamp, members);
  }

  private static String name(SeededRandom random) {
    String letters = "aZ09 \"\\/{}[]:,.-_äß漢😀'<>&%";
    int[] points = letters.codePoints().toArray();
    StringBuilder name = new StringBuilder("n");
    for (int i = random.nextInt(20); i > 0; i--) {
      name.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return name.append('n').toString();
  }

  @Test
  void unknownFieldsAreSkipped() {
    String members =
        ",\"members\":[{\"rack\":{\"row\":[1,2]},\"id\":\"a\",\"state\":\"active\",\"since\":1.5}]";

    assertThat(SnapshotCodec.decode("acme", HEAD + ",\"note\":[{}]" + members + ",\"x\":null}"))
        .isEqualTo(new GroupSnapshot("acme", STAMP, List.of(Member.active("a"))));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "``                                                  | missing",
        "null                                                | instead of START_OBJECT",
        "[]                                                  | instead of START_OBJECT",
        "not json                                            | ",
        "{}                                                  | does not start with its format",
        "{`group`:`acme`,`format`:1}                         | does not start with its format",
        "{`format`:2,`members`:7}                            | its format is 2",
        "{`format`:`1`}                                      | format is VALUE_STRING",
        "{`format`:1.0}                                      | format is VALUE_NUMBER_FLOAT",
        "HEAD}                                               | exactly one of members and deleted",
        "HEAD,`deleted`:true MEMBERS}                        | exactly one of members and deleted",
        "HEAD,`deleted`:false}                               | deleted is VALUE_FALSE",
        "HEAD,`members`:[]}                                  | no members",
        "HEAD,`members`:{}}                                  | members is START_OBJECT",
        "HEAD,`members`:[1]}                                 | a member is VALUE_NUMBER_INT",
        "HEAD,`members`:[{`id`:`a`}]}                        | state of a member is missing",
        "HEAD,`members`:[{`state`:`active`}]}                | id of a member is missing",
        "HEAD,`members`:[{`id`:`a`,`state`:`asleep`}]}       | unknown state: asleep",
        "HEAD,`members`:[{`id`:`a`,`id`:`b`,`state`:`active`}]} | uplicate",
        "HEAD,`version`:8 MEMBERS}                           | uplicate",
        "HEAD MEMBERS} {}                                    | something follows",
        "HEAD MEMBERS                                        | end-of-input",
        "{`format`:1,`group`:`acme`,`authority`:`c1`,`epoch`:1 MEMBERS} | version is missing",
        "{`format`:1,`group`:`acme`,`authority`:``,`epoch`:0,`version`:0 MEMBERS} | authority",
        "{`format`:1,`group`:`acme`,`authority`:`c1`,`epoch`:-1,`version`:0 MEMBERS} | negative",
        "{`format`:1,`group`:`acme`,`authority`:`c1`,`epoch`:1,`version`:9223372036854775808 MEMBERS} | range",
      })
  void whatIsNoSnapshotIsRefusedWithTheReason(String text, String why) {
    String encoded =
        (text == null ? "" : text)
            .replace("MEMBERS", MEMBERS)
            .replace('`', '"')
            .replace("HEAD", HEAD);

    assertThatThrownBy(() -> SnapshotCodec.decode("acme", encoded))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageStartingWith("WM2102: ")
        .hasMessageContaining("acme")
        .hasMessageContaining(why == null ? "" : why);
  }

  @Test
  void aSnapshotOfAnotherGroupIsRefused() {
    assertThatThrownBy(() -> SnapshotCodec.decode("other", HEAD + MEMBERS + "}"))
        .hasMessageContaining("of group acme");
  }

  @Test
  void whatIsTooLargeOrTooDeepIsRefused() {
    String open = HEAD + MEMBERS + ",\"x\":";
    List<String> hostile =
        List.of(
            open + "[".repeat(1_000_000),
            open + "[".repeat(100) + "]".repeat(100) + "}",
            HEAD + "9".repeat(100) + MEMBERS + "}",
            HEAD + MEMBERS.replace("\"a\"", "\"" + "x".repeat(5_000) + "\"") + "}",
            open + "[" + "1,".repeat(600_000) + "1]}");
    for (String text : hostile) {
      assertThatThrownBy(() -> SnapshotCodec.decode("acme", text))
          .isInstanceOf(InvalidSnapshotException.class)
          .extracting(Throwable::getMessage)
          .satisfies(message -> assertThat(message).hasSizeLessThan(400));
    }
  }

  @Test
  void whatWouldBeTooLargeIsNotEncoded() {
    List<Member> members = new ArrayList<>();
    for (Member member : Members.numbered("acme", 2_000)) {
      members.add(member.with("k", "x".repeat(600)));
    }

    assertThatThrownBy(() -> SnapshotCodec.encode(new GroupSnapshot("acme", STAMP, members)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("acme is too large");
  }

  @Test
  void whatNobodyPublishedIsNotEncoded() {
    GroupSnapshot local = GroupSnapshot.local("acme", Members.numbered("acme", 1));

    assertThatThrownBy(() -> SnapshotCodec.encode(local)).hasMessageContaining("made locally");
  }
}
