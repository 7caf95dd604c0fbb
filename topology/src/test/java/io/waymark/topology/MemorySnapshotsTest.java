package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.topology.contract.StoreContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemorySnapshotsTest extends StoreContract {
  private final MemorySnapshots store = new MemorySnapshots();

  @Override
  protected SnapshotReader reader() {
    return store.reader();
  }

  @Override
  protected SnapshotPublisher publisher() {
    return store.publisher();
  }

  @Override
  protected void scribble(String group, String text) {
    store.scribble(group, text);
  }

  @Override
  protected void forget(String group) {
    store.forget(group);
  }

  @Test
  void aStoreThatForgotIsFilledAgainBySweepingIt() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    AtomicInteger doubts = new AtomicInteger();
    publisher.onDoubt(doubts::incrementAndGet);
    publisher.write(snapshot("1.1@a"));
    TopologyClient client = keep(TopologyClient.builder(reader()).ttl(Duration.ofHours(1)).build());
    client.get(group);

    store.forget();

    assertThat(doubts).hasValue(1);
    assertThat(client.inspect(group).failure()).contains(UnavailableReason.MISSING);
    AtomicInteger swept = new AtomicInteger();
    publisher.sweep((name, stamp) -> swept.incrementAndGet());
    assertThat(swept).hasValue(0);
    publisher.write(snapshot("1.1@a"));
    assertThat(client.get(group)).isEqualTo(snapshot("1.1@a"));
  }
}
