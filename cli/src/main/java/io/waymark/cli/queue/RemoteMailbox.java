package io.waymark.cli.queue;

import io.waymark.cli.processes.LineSocket;
import io.waymark.cli.processes.Wire;
import io.waymark.core.LoadSnapshot;
import io.waymark.core.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A mailbox as a producer sees it. Who has it is asked of the hosts, beginning with the one that
 * had it last: they decide, not what is remembered here. A further host is asked only if the one
 * before surely did nothing.
 */
final class RemoteMailbox {
  private final Place place;
  private final String name;
  private volatile String last;

  RemoteMailbox(Place place, String name) {
    this.place = place;
    this.name = name;
    this.last = place.hostsOf(name).get(0);
  }

  /**
   * Pushes.
   *
   * @throws PushFailed if no host has the mailbox, or nobody knows what became of the push
   */
  Outcome<Integer> push(List<Push.Item> letters) {
    String line = Wire.text(new Push(name, letters));
    List<String> hosts = new ArrayList<>(place.hostsOf(name));
    String first = last;
    hosts.remove(first);
    hosts.add(0, first);
    String why = "";
    for (String host : hosts) {
      try {
        Push.Answer answer =
            Wire.value(LineSocket.call(place.socket(host), line), Push.Answer.class);
        if (answer.status() != Push.Status.ELSEWHERE) {
          last = host;
          return outcome(answer, letters.size());
        }
        why = answer.message();
      } catch (LineSocket.NotSent e) {
        why = String.valueOf(e.getMessage());
      } catch (IOException e) {
        throw new PushFailed(false, host + " did not answer about " + name, e);
      }
    }
    throw new PushFailed(true, "nobody has " + name + ": " + why, null);
  }

  private static Outcome<Integer> outcome(Push.Answer answer, int letters) {
    Outcome<Integer> outcome =
        answer.status() == Push.Status.ACCEPTED
            ? Outcome.accepted(letters)
            : Outcome.rejected(answer.error(), answer.message());
    LoadSnapshot load = answer.load();
    return load == null ? outcome : outcome.with(load);
  }

  @Override
  public String toString() {
    return name;
  }
}
