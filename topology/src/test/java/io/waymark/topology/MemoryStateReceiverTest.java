package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryStateReceiverTest {
  private final MemoryStateReceiver<String> receiver = new MemoryStateReceiver<>();

  private Reception deliver(String stamp) {
    return receiver.apply(new StateUpdate<>("value of " + stamp, Stamp.parse(stamp)));
  }

  private String held() {
    return receiver.current().map(StateUpdate::value).orElse("nothing");
  }

  @Test
  void aLateUpdateAfterANewerOneIsLeft() {
    assertThat(held()).isEqualTo("nothing");

    assertThat(deliver("1.2@c1")).isEqualTo(Reception.APPLIED);
    assertThat(deliver("1.1@c1")).isEqualTo(Reception.OLDER);
    assertThat(deliver("1.2@c1")).isEqualTo(Reception.REPEATED);

    assertThat(held()).isEqualTo("value of 1.2@c1");
  }

  @Test
  void anAuthorityThatWasLeftComesBackOnlyWithAHigherEpoch() {
    deliver("1.5@c1");

    assertThat(deliver("1.1@c2")).isEqualTo(Reception.APPLIED);
    assertThat(deliver("1.6@c1")).isEqualTo(Reception.OLDER);
    assertThat(deliver("2.1@c1")).isEqualTo(Reception.APPLIED);
  }

  @Test
  void anUpdateThatNobodyIssuedIsRefused() {
    assertThatThrownBy(() -> receiver.apply(new StateUpdate<>("mine", Stamp.LOCAL)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(held()).isEqualTo("nothing");
  }

  @Test
  void aValueIsNotShown() {
    deliver("1.1@c1");

    assertThat(receiver).hasToString("update 1.1@c1");
  }

  @Test
  void deliveriesInAnyOrderFromManyThreadsLeaveTheNewest() throws Exception {
    SeededRandom random = SeededRandom.create();
    List<String> stamps = new ArrayList<>();
    for (int i = 1; i <= 4_000; i++) {
      stamps.add("1." + i + "@c1");
    }
    Collections.shuffle(stamps, new Random(random.nextLong()));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> deliveries = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        List<String> share = stamps.subList(i * 1_000, (i + 1) * 1_000);
        deliveries.add(threads.submit(() -> share.forEach(this::deliver)));
      }
      for (Future<?> each : deliveries) {
        each.get(30, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(held()).as("%s", random).isEqualTo("value of 1.4000@c1");
  }
}
