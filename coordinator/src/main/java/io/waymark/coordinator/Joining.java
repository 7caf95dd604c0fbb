package io.waymark.coordinator;

import io.waymark.coordinator.Channels.Target;
import io.waymark.durable.Delivery;
import io.waymark.durable.ItemStatus;
import io.waymark.durable.Receipt;
import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes joining members active once they have confirmed all values that they are to hold: once no
 * delivery to them is pending. Thread safe.
 */
final class Joining {
  private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

  /** Confirmations wake it; this is for those that were not heard of. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private static final int BATCH = 100;

  private final Ledger ledger;
  private final boolean on;

  Joining(Ledger ledger, boolean on) {
    this.ledger = ledger;
    this.on = on;
  }

  /** A state arrived somewhere: perhaps it was the last one that a joining member waited for. */
  void arrived(String key) {
    if (on) {
      try {
        look(Target.of(key).group());
      } catch (RuntimeException e) {
        LOG.debug("whether members of {} are confirmed is looked at later", key, e);
      }
    }
  }

  private void look(String group) {
    if (ledger.tables().isJoining(group)) {
      ledger.seeTo(Channels.join(group));
    }
  }

  /** Has all groups seen to that wait, each by itself. */
  void stageAll(Delivery<String> delivery) {
    String after = "";
    while (on && !delivery.isAbandoned()) {
      List<String> groups = ledger.tables().joining(after, BATCH);
      if (groups.isEmpty()) {
        return;
      }
      groups.forEach(group -> ledger.seeTo(Channels.join(group)));
      after = groups.get(groups.size() - 1);
    }
  }

  Receipt see(String group) {
    StoredGroup now = ledger.tables().read(group);
    if (!isJoining(now.members())) {
      return Receipt.delivered();
    }
    if (now.members().stream().anyMatch(member -> isConfirmed(now, member))) {
      ledger.change(group, base -> Change.update(base, activated(base), ledger.authority()));
      return Receipt.again(Duration.ZERO);
    }
    return Receipt.again(LOOK_AGAIN);
  }

  private GroupDraft activated(StoredGroup base) {
    GroupDraft draft = GroupDraft.of(base, ledger.states());
    for (Member member : base.members()) {
      if (isConfirmed(base, member)) {
        draft = draft.activate(member.id());
      }
    }
    return draft;
  }

  private boolean isConfirmed(StoredGroup group, Member member) {
    return member.state() == MemberState.JOINING
        && group.states().keySet().stream()
            .noneMatch(channel -> isPending(channel, new Target(group.name(), member.id())));
  }

  private boolean isPending(String channel, Target target) {
    return ledger
        .outbox()
        .find(Channels.state(channel), target.key())
        .map(ItemStatus::pending)
        .orElse(false);
  }

  private static boolean isJoining(List<Member> members) {
    return members.stream().anyMatch(member -> member.state() == MemberState.JOINING);
  }
}
