package io.waymark.cli.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTest {
  @TempDir private Path folder;

  private static StateUpdate<Limits> update(String stamp, long revision) {
    return new StateUpdate<>(new Limits(revision, 100 + (int) revision, ""), Stamp.parse(stamp));
  }

  @Test
  void theNewestIsHeldAlsoInTheNextLife() throws SQLException {
    try (Memory memory = Memory.open(folder.resolve("m.db"))) {
      memory.receive(update("1.1@a", 1));
      memory.receive(update("1.3@a", 3));
      memory.receive(update("1.2@a", 2));
    }

    try (Memory memory = Memory.open(folder.resolve("m.db"))) {
      memory.receive(update("1.3@a", 3));

      assertThat(memory.holds()).isEqualTo(new Said.Holds("1.3@a", 3, 103, 4, 2, 0));
    }
  }

  @Test
  void aValueThatGoesBackUnderANewerStampIsFoundOut() throws SQLException {
    try (Memory memory = Memory.open(folder.resolve("m.db"))) {
      memory.receive(update("1.1@a", 5));

      Said.Holds holds = memory.receive(update("1.2@a", 4));

      assertThat(holds.stale()).isEqualTo(1);
    }
  }
}
