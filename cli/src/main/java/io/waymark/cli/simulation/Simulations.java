package io.waymark.cli.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Runs scenarios, as many at a time as there are processors; what comes out depends on neither. */
public final class Simulations {
  private static final long EVERY_MILLIS = 250;

  private final SimulationSettings settings;
  private final Map<Scenario, Double> done = new ConcurrentHashMap<>();
  private final Map<Scenario, Findings> findings = new ConcurrentHashMap<>();
  private final long begun = System.nanoTime();

  private Simulations(SimulationSettings settings) {
    this.settings = settings;
  }

  /**
   * Runs them.
   *
   * @param watch is told how far they are, now and then and in the end, on the caller's thread
   */
  public static Map<Scenario, Findings> run(
      SimulationSettings settings, Consumer<SimulationState> watch) throws InterruptedException {
    return new Simulations(settings).run(watch);
  }

  private Map<Scenario, Findings> run(Consumer<SimulationState> watch) throws InterruptedException {
    ExecutorService executor =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), Simulations::thread);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (Scenario scenario : settings.scenarios()) {
        running.add(executor.submit(() -> simulate(scenario)));
      }
      for (Future<?> each : running) {
        await(each, watch);
      }
    } finally {
      executor.shutdownNow();
    }
    watch.accept(state());
    Map<Scenario, Findings> found = new EnumMap<>(Scenario.class);
    found.putAll(findings);
    return found;
  }

  private static Thread thread(Runnable body) {
    Thread thread = new Thread(body, "waymark-simulation");
    thread.setDaemon(true);
    return thread;
  }

  private void simulate(Scenario scenario) {
    Chance chance = new Chance(settings.seed()).in(scenario.name());
    Findings found =
        scenario.run(new Course(chance, settings.length(), part -> done.put(scenario, part)));
    findings.put(scenario, found);
    done.put(scenario, 1.0);
  }

  private void await(Future<?> scenario, Consumer<SimulationState> watch)
      throws InterruptedException {
    while (true) {
      try {
        scenario.get(EVERY_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        watch.accept(state());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a simulation broke off", e.getCause());
      }
    }
  }

  private SimulationState state() {
    List<SimulationState.Row> rows = new ArrayList<>();
    for (Scenario scenario : settings.scenarios()) {
      Findings found = findings.get(scenario);
      rows.add(
          new SimulationState.Row(
              scenario,
              done.getOrDefault(scenario, 0.0),
              found == null ? List.of() : found.checks()));
    }
    return new SimulationState(settings, Duration.ofNanos(System.nanoTime() - begun), rows);
  }
}
