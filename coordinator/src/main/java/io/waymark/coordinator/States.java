package io.waymark.coordinator;

import io.waymark.core.OptionException;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemberState;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state channels that a coordinator was given, and who receives their values. Immutable.
 *
 * <p>A group may have values of channels that this process does not know, set by one that does:
 * they are kept, and staged for new members, whom that process serves.
 */
final class States {
  private final Map<String, StateChannel<?>> channels = new TreeMap<>();
  private final boolean joiningReceive;

  /**
   * @param joiningReceive whether members get values before they are active
   */
  States(Collection<StateChannel<?>> channels, boolean joiningReceive) {
    this.joiningReceive = joiningReceive;
    for (StateChannel<?> channel : channels) {
      if (this.channels.putIfAbsent(channel.name(), channel) != null) {
        throw new OptionException("state " + channel + " is given twice");
      }
    }
  }

  Collection<StateChannel<?>> all() {
    return channels.values();
  }

  void require(StateChannel<?> channel) {
    if (channels.get(channel.name()) != channel) {
      throw new IllegalArgumentException(
          "this coordinator does not have the state "
              + channel
              + "; give it the channel with state(...) when it is built");
    }
  }

  /** Who gets the values of a channel: as it is configured, else as it is stored. */
  MemberRole role(String channel, MemberRole stored) {
    StateChannel<?> known = channels.get(channel);
    return known == null ? stored : known.members();
  }

  boolean receives(MemberRole role, MemberState state) {
    return role.includes(state) || (joiningReceive && state == MemberState.JOINING);
  }
}
