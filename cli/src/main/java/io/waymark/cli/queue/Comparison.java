package io.waymark.cli.queue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What producers, consumers and hosts wrote down, side by side. Nothing of it comes from the tables
 * of the product.
 *
 * @param accepted messages that a mailbox accepted, as their producer wrote down
 * @param delivered pairs of an accepted message and a target that has it
 * @param duplicates deliveries of a message to a target that had it already
 * @param unconfirmed messages that a target has and whose producer was killed before it wrote down
 *     that they were accepted
 * @param deadLettered accepted messages among the dead letters
 * @param wronglyDead those of them that their consumer would have taken
 * @param lost pairs of an accepted message and a target that neither has it nor refused it
 */
record Comparison(
    long accepted,
    long delivered,
    long duplicates,
    long unconfirmed,
    long deadLettered,
    long wronglyDead,
    long lost) {
  /** The name of the producers' journals. */
  static final String ACCEPTED = "accepted";

  /** The name of the journals of dead letters. */
  static final String DEAD = "dead";

  /** The line of an accepted message. */
  static String line(Push.Item item) {
    return item.letter().kind() + " " + item.id();
  }

  static Comparison of(Path folder) throws IOException {
    Map<String, Letter.Kind> accepted = new HashMap<>();
    Journal.read(
        folder,
        ACCEPTED,
        line -> {
          int space = line.indexOf(' ');
          accepted.put(line.substring(space + 1), Letter.Kind.valueOf(line.substring(0, space)));
        });
    Set<String> dead = new HashSet<>();
    Journal.read(folder, DEAD, dead::add);
    dead.retainAll(accepted.keySet());
    Tally tally = new Tally();
    Set<String> unconfirmed = new HashSet<>();
    for (String target : Place.TARGETS) {
      Set<String> has = new HashSet<>();
      Journal.read(
          folder,
          target,
          id -> {
            if (!has.add(id)) {
              tally.duplicates++;
            }
          });
      for (String id : accepted.keySet()) {
        if (has.contains(id)) {
          tally.delivered++;
        } else if (!target.equals(Place.CONSUMER) || !dead.contains(id)) {
          tally.lost++;
        }
      }
      has.removeAll(accepted.keySet());
      unconfirmed.addAll(has);
    }
    long wronglyDead = dead.stream().filter(id -> accepted.get(id) != Letter.Kind.POISON).count();
    return new Comparison(
        accepted.size(),
        tally.delivered,
        tally.duplicates,
        unconfirmed.size(),
        dead.size(),
        wronglyDead,
        tally.lost);
  }

  private static final class Tally {
    long delivered;
    long duplicates;
    long lost;
  }
}
