package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.waymark.core.KeptMeters.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KeptMetersTest {
  private static final Family CALLS = Family.of("calls", "where", "why");
  private static final Family WAITS = Family.of("waits", "where");

  /** What was asked for, and what was told. */
  private static final class Told implements Meters {
    private final List<String> asked = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    @Override
    public Counter counter(String name, Map<String, String> tags) {
      asked.add(name + new TreeMap<>(tags));
      return () -> events.add(name);
    }

    @Override
    public Timer timer(String name, Map<String, String> tags) {
      asked.add(name + new TreeMap<>(tags));
      return nanos -> events.add(name + " " + nanos);
    }
  }

  @Test
  void aMeterIsAskedForOncePerNameAndTags() {
    Told told = new Told();
    KeptMeters meters = new KeptMeters(told);

    meters.count(CALLS, "east", "fast");
    meters.count(CALLS, "east", "fast");
    meters.count(CALLS, "east", "slow");
    meters.time(WAITS, 7, "east");
    meters.time(WAITS, -1, "east");

    assertThat(told.asked)
        .containsExactly(
            "calls{where=east, why=fast}", "calls{where=east, why=slow}", "waits{where=east}");
    assertThat(told.events).containsExactly("calls", "calls", "calls", "waits 7", "waits 0");
  }

  @Test
  void metersThatThrowDisturbNobody() {
    Meters broken =
        new Meters() {
          @Override
          public Counter counter(String name, Map<String, String> tags) {
            throw new IllegalStateException("no counter");
          }

          @Override
          public Timer timer(String name, Map<String, String> tags) {
            return nanos -> {
              throw new IllegalStateException("no time");
            };
          }
        };
    KeptMeters meters = new KeptMeters(broken);

    assertThatCode(
            () -> {
              meters.count(CALLS, "east", "fast");
              meters.time(WAITS, 7, "east");
            })
        .doesNotThrowAnyException();
  }

  @Test
  void whereNobodyMeasuresItIsOff() {
    assertThat(new KeptMeters(Meters.NONE).isOn()).isFalse();
    assertThat(new KeptMeters(new Told()).isOn()).isTrue();
  }
}
