package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupSnapshotTest {
  private static final Stamp STAMP = new Stamp("c1", 1, 7);

  @Test
  void activeMembersAreInBothSetsDrainingOnesAreOnlyReadJoiningOnesInNeither() {
    Member active = Member.active("acme-0");
    Member draining = Member.draining("acme-1");
    Member joining = Member.joining("acme-2");

    GroupSnapshot acme = new GroupSnapshot("acme", STAMP, List.of(active, draining, joining));

    assertThat(acme.writeSet()).containsExactly(active);
    assertThat(acme.readSet()).containsExactly(active, draining);
    assertThat(acme.members(MemberRole.WRITE)).isEqualTo(acme.writeSet());
    assertThat(acme.members(MemberRole.READ)).isEqualTo(acme.readSet());
    assertThat(acme.member("acme-1")).contains(draining);
    assertThat(acme.member("acme-9")).isEmpty();
  }

  @Test
  void aGroupWithoutMembersIsRefusedAndSaysWhatToDo() {
    assertThatThrownBy(() -> new GroupSnapshot("acme", STAMP, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("acme")
        .hasMessageContaining("delete it instead");
  }

  @Test
  void twoMembersWithOneIdAreRefused() {
    assertThatThrownBy(
            () ->
                new GroupSnapshot("acme", STAMP, List.of(Member.active("a"), Member.draining("a"))))
        .hasMessageContaining("two members a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a ", "\ta", "a\u0000b", "a\nb", "a\u202eb"})
  void namesThatDisturbKeysAndLogsAreRefused(String name) {
    assertThatThrownBy(() -> GroupSnapshot.local(name, List.of(Member.active("a"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Member.active(name)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Tombstone(name, STAMP))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAreAtMost128CharactersLong() {
    assertThat(Member.active("a".repeat(128)).id()).hasSize(128);
    assertThatThrownBy(() -> Member.active("a".repeat(129))).hasMessageContaining("128");
  }

  @Test
  void attributesThatWaymarkKnowsHaveATypeAndADefault() {
    Member plain = Member.active("a");
    Member full =
        plain.with("endpoint", "https://10.0.0.7").with("weight", "2.5").with("zone", "z");

    assertThat(plain.endpoint()).isEmpty();
    assertThat(plain.weight()).isEqualTo(1);
    assertThat(full.endpoint()).contains("https://10.0.0.7");
    assertThat(full.weight()).isEqualTo(2.5);
    assertThat(full.zone()).contains("z");
    assertThat(full.in(MemberState.DRAINING).attributes()).isEqualTo(full.attributes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "heavy", ""})
  void aWeightThatIsNotPositiveAndFiniteIsRefused(String weight) {
    assertThatThrownBy(() -> Member.active("a").with("weight", weight))
        .hasMessageContaining("weight of member a");
  }

  @Test
  void attributesAreFewAndShort() {
    assertThatThrownBy(() -> Member.active("a").with("", "x")).hasMessageContaining("name");
    assertThatThrownBy(() -> Member.active("a").with("k".repeat(65), "x"))
        .hasMessageContaining("64");
    assertThatThrownBy(() -> Member.active("a").with("k", "x".repeat(1025)))
        .hasMessageContaining("1024");
    Member many = Member.active("a");
    for (int i = 0; i < 32; i++) {
      many = many.with("k" + i, "v");
    }
    Member full = many;
    assertThatThrownBy(() -> full.with("one more", "v")).hasMessageContaining("33");
  }

  @Test
  void whatIsGivenInCannotBeChangedFromOutside() {
    Map<String, String> attributes = new java.util.HashMap<>(Map.of("k", "v"));
    List<Member> members =
        new java.util.ArrayList<>(List.of(new Member("a", MemberState.ACTIVE, attributes)));
    GroupSnapshot acme = new GroupSnapshot("acme", STAMP, members);

    attributes.put("k", "w");
    members.clear();

    assertThat(acme.members()).containsExactly(Member.active("a").with("k", "v"));
  }

  @Test
  void numberedMembersAreNamedAfterTheirGroup() {
    assertThat(Members.numbered("acme", 3))
        .containsExactly(Member.active("acme-0"), Member.active("acme-1"), Member.active("acme-2"));
    assertThatThrownBy(() -> Members.numbered("acme", 0)).hasMessageContaining("not 0");
    assertThatThrownBy(() -> Members.numbered("acme", 10_001)).hasMessageContaining("10001");
  }

  @Test
  void itsTextHasNoAttributes() {
    Member member = Member.active("acme-0").with("endpoint", "https://user:hunter2@10.0.0.7");

    assertThat(new GroupSnapshot("acme", STAMP, List.of(member)))
        .hasToString("acme 1.7@c1 [acme-0 (active)]");
  }
}
