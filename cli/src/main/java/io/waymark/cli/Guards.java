package io.waymark.cli;

import io.waymark.coordinator.GroupDraft;
import io.waymark.core.OptionText;
import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold before a group is changed by hand. Each refusal says what to do instead. */
final class Guards {
  private Guards() {}

  static void requireGroup(OpenTopology topology, GroupDraft now) {
    if (!now.exists()) {
      throw topology.missing(now.group());
    }
  }

  static void requireMember(OpenTopology topology, GroupDraft now, String member) {
    requireGroup(topology, now);
    if (now.member(member).isEmpty()) {
      List<String> ids = now.members().stream().map(Member::id).toList();
      throw new Refusal(
          "group "
              + now.group()
              + " has no member "
              + OptionText.quote(member)
              + OptionText.nearest(member, ids)
                  .map(near -> "; did you mean " + near + "?")
                  .orElse("")
              + ". See 'waymark topology show "
              + now.group()
              + "'.");
    }
  }

  /** The state of a member; null if it is not there. */
  static @Nullable MemberState state(GroupDraft now, String member) {
    return now.member(member).map(Member::state).orElse(null);
  }

  /** If the member is active, another one must be. */
  static void requireAnotherActive(GroupDraft now, String member) {
    boolean another =
        now.members().stream()
            .anyMatch(each -> each.state() == MemberState.ACTIVE && !each.id().equals(member));
    if (state(now, member) == MemberState.ACTIVE && !another) {
      throw new Refusal(
          member
              + " is the last active member of group "
              + now.group()
              + ": nobody would take new work. Make another one active first ('waymark topology set"
              + " "
              + now.group()
              + " MEMBER --state active'), or say --force.");
    }
  }

  /** Who still gets new work is not taken away under those who send it. */
  static void requireDrained(GroupDraft now, String member) {
    if (state(now, member) == MemberState.ACTIVE) {
      throw new Refusal(
          member
              + " is active: readers send it work until they hear of the change. Drain it first"
              + " ('waymark topology drain "
              + now.group()
              + " "
              + member
              + "'), or say --force.");
    }
  }
}
