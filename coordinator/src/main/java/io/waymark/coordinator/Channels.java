package io.waymark.coordinator;

import io.waymark.durable.Channel;
import io.waymark.durable.Codec;
import java.util.List;
import java.util.Optional;

/** The outbox channels of a coordinator. Values are only hints: what is sent is read when it is. */
final class Channels {
  private static final String STATE_PREFIX = "waymark.topology.";

  /** Keyed by group; the value is the stamp when it was staged, for people. */
  static final Channel<String> PUBLICATION = Channel.of("waymark.topology", Codec.text());

  /** Keyed by what is to be seen to; see {@link Upkeep}. */
  static final Channel<String> UPKEEP = Channel.of("waymark.coordinator", Codec.text());

  private Channels() {}

  /** Keyed by group and member; the value is epoch and counter of the stamp. */
  static Channel<String> state(String name) {
    return Channel.of(STATE_PREFIX + name, Codec.text());
  }

  static boolean isState(String channel) {
    return channel.startsWith(STATE_PREFIX);
  }

  /** The key of a delivery. */
  record Target(String group, String member) {
    String key() {
      return CanonicalJson.list(List.of(group, member));
    }

    static Target of(String key) {
      String[] parts = CanonicalJson.list(key);
      return new Target(parts[0], parts[1]);
    }
  }

  /** Epoch and counter of a delivery's stamp. */
  record Issue(long epoch, long changes) {
    String text() {
      return epoch + "." + changes;
    }

    static Issue of(String text) {
      int dot = text.indexOf('.');
      return new Issue(
          Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
    }
  }

  /** What there is to see to. */
  static final String SWEEP = "sweep";

  static final String LIFT = "lift";
  private static final String JOIN_PREFIX = "join:";

  static String join(String group) {
    return JOIN_PREFIX + group;
  }

  static Optional<String> joined(String key) {
    return key.startsWith(JOIN_PREFIX)
        ? Optional.of(key.substring(JOIN_PREFIX.length()))
        : Optional.empty();
  }
}
