package io.waymark.cli.simulation;

import io.waymark.core.LoadSnapshot;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Callers that know nothing, for comparison. */
final class Controls {
  private Controls() {}

  /** Any member, by chance. */
  static Caller random(int members, SplittableRandom random) {
    return of(() -> random.nextInt(members));
  }

  /** One after the other. */
  static Caller roundRobin(int members, int first) {
    int[] next = {first};
    return of(() -> next[0]++ % members);
  }

  private static Caller of(IntSupplier picks) {
    return () -> new Blind(picks.getAsInt());
  }

  private record Blind(int member) implements Caller.Call {
    @Override
    public void answered(@Nullable LoadSnapshot load) {}

    @Override
    public void failed() {}
  }
}
