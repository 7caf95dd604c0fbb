package io.waymark.coordinator;

import io.waymark.testing.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Random histories agree with an obvious model: in the end the store has the newest stamp, every
 * member the newest value, no reader ever went back, and nothing that was acknowledged is lost but
 * what the database lost. A few fixed seeds and a random one; many with {@code
 * -Dwaymark.long=true}; one with {@code -Dwaymark.seed=…}.
 */
class TopologyModelTest {
  private static final boolean LONG = Boolean.getBoolean("waymark.long");
  private static final int STEPS = 40;

  private static List<Long> seeds(int few) {
    String chosen = System.getProperty(SeededRandom.PROPERTY, "");
    if (!chosen.isBlank()) {
      return List.of(Long.parseLong(chosen.strip()));
    }
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= (LONG ? 100 : few); seed++) {
      seeds.add(seed);
    }
    SplittableRandom fresh = new SplittableRandom();
    for (int i = 0; i < (LONG ? 100 : 1); i++) {
      seeds.add(fresh.nextLong());
    }
    return seeds;
  }

  private static void run(int few, Supplier<ModelDatabase> databases, Supplier<Shelf> shelves) {
    for (long seed : seeds(few)) {
      SeededRandom dice = SeededRandom.of(seed);
      ModelRun run = new ModelRun(dice, databases.get(), shelves.get());
      try (run) {
        run.live(STEPS);
      } catch (Exception | AssertionError e) {
        throw new AssertionError(
            dice + ": " + e.getMessage() + "\n\nwhat happened:\n  " + run.journal(), e);
      }
    }
  }

  @Test
  void aFileAndAStoreThatComparesStamps() {
    run(6, SqliteModelDatabase::new, Shelf::inMemory);
  }

  @Test
  void aFileAndAStoreThatOverwrites() {
    run(4, SqliteModelDatabase::new, Shelf::overwriting);
  }

  @Test
  void twoProcessesOnAServerAndAStoreThatComparesStamps() {
    run(3, () -> new PostgresModelDatabase(2), Shelf::inMemory);
  }

  @Test
  void twoProcessesOnAServerAndAStoreThatOverwrites() {
    run(2, () -> new PostgresModelDatabase(2), Shelf::overwriting);
  }
}
