package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LiveViewTest {
  private final LiveView<String> view = new LiveView<>("0");
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  @Test
  void aSwapReplacesTheViewAndAnnouncesBeforeAndAfter() {
    recordChanges();

    String after = view.swap(before -> before + "1");

    assertThat(after).isEqualTo("01");
    assertThat(view.current()).isEqualTo("01");
    assertThat(seen).containsExactly("0>01");
  }

  @Test
  void theFirstViewIsNotAnnounced() {
    recordChanges();

    assertThat(view.current()).isEqualTo("0");
    assertThat(seen).isEmpty();
  }

  @Test
  void theVerySameViewIsNoChange() {
    recordChanges();

    assertThat(view.swap(before -> before)).isEqualTo("0");

    assertThat(seen).isEmpty();
  }

  @Test
  void listenersAreCalledInTheOrderTheyWereAdded() {
    view.onChange((before, after) -> seen.add("first"));
    view.onChange((before, after) -> seen.add("second"));

    view.swap(before -> "1");

    assertThat(seen).containsExactly("first", "second");
  }

  @Test
  void theViewIsSwappedBeforeItIsAnnounced() {
    view.onChange((before, after) -> seen.add(view.current()));

    view.swap(before -> "1");

    assertThat(seen).containsExactly("1");
  }

  @Test
  void aListenerThatThrowsIsIgnored() {
    view.onChange(
        (before, after) -> {
          throw new IllegalStateException("a listener's bug");
        });
    recordChanges();

    view.swap(before -> "1");
    view.swap(before -> "2");

    assertThat(seen).containsExactly("0>1", "1>2");
  }

  @Test
  void aListenerThatFailsWithAnErrorDoesNotSilenceLaterChanges() {
    view.onChange(
        (before, after) -> {
          throw new AssertionError("a listener's broken promise");
        });
    recordChanges();

    view.swap(before -> "1");
    view.swap(before -> "2");

    assertThat(seen).containsExactly("0>1", "1>2");
  }

  @Test
  void aChangeThatThrowsChangesNothing() {
    recordChanges();

    assertThatThrownBy(
            () ->
                view.swap(
                    before -> {
                      throw new IllegalStateException("no next view");
                    }))
        .hasMessage("no next view");

    assertThat(view.current()).isEqualTo("0");
    view.swap(before -> "1");
    assertThat(seen).containsExactly("0>1");
  }

  @Test
  void aListenerMaySwapAndEveryoneStillSeesTheOrder() {
    view.onChange(
        (before, after) -> {
          if (after.length() < 4) {
            view.swap(now -> now + "x");
          }
        });
    recordChanges();

    view.swap(before -> "1");

    assertThat(seen).containsExactly("0>1", "1>1x", "1x>1xx", "1xx>1xxx");
  }

  @Test
  void noLockIsHeldWhileListenersRun() throws Exception {
    CountDownLatch announced = new CountDownLatch(1);
    CountDownLatch swapped = new CountDownLatch(1);
    view.onChange(
        (before, after) -> {
          seen.add(before + ">" + after);
          announced.countDown();
          await(swapped);
        });
    Thread first = new Thread(() -> view.swap(before -> "1"));
    first.start();
    await(announced);

    view.swap(before -> "2"); // returns although the first announcement is under way
    assertThat(view.current()).isEqualTo("2");
    swapped.countDown();
    first.join();

    assertThat(seen).containsExactly("0>1", "1>2");
  }

  @Test
  void underContentionEveryChangeIsAnnouncedOnceInOneChain() throws Exception {
    LiveView<Integer> counter = new LiveView<>(0);
    List<List<Integer>> chain = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger concurrent = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    counter.onChange(
        (before, after) -> {
          most.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
          chain.add(List.of(before, after));
          concurrent.decrementAndGet();
        });
    int threads = 4;
    int swaps = 2_000;

    Threads.together(
        threads,
        thread -> {
          for (int i = 0; i < swaps; i++) {
            counter.swap(before -> before + 1);
          }
        });

    assertThat(counter.current()).isEqualTo(threads * swaps);
    assertThat(most).hasValue(1);
    assertThat(chain).hasSize(threads * swaps);
    for (int i = 0; i < chain.size(); i++) {
      assertThat(chain.get(i)).containsExactly(i, i + 1);
    }
  }

  private void recordChanges() {
    view.onChange((before, after) -> seen.add(before + ">" + after));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
