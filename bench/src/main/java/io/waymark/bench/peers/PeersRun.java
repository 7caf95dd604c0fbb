package io.waymark.bench.peers;

import io.waymark.bench.ContenderJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rounds of all contenders, one after the other, each in a JVM of its own. Closing it ends the JVM
 * that runs; its servers end with it.
 */
public final class PeersRun implements AutoCloseable {
  private final Plan plan;
  private final Consumer<Progress> progress;
  private final ContenderJvm jvm = new ContenderJvm();
  private final Map<Contender, Map<Scenario, List<Result>>> results =
      new EnumMap<>(Contender.class);
  private volatile boolean closed;
  private String server = "?";

  /**
   * Runs nothing yet.
   *
   * @param plan of one round of one contender
   * @param progress is told what is done, on the thread that runs
   */
  public PeersRun(Plan plan, Consumer<Progress> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * How far it is.
   *
   * @param round from 1
   * @param contender whose turn it is
   * @param last its newest result; empty when its turn begins
   * @param so what is there so far
   */
  public record Progress(int round, Contender contender, Optional<Result> last, Standings so) {}

  /**
   * Runs all rounds. In each another contender begins.
   *
   * @throws IOException if no JVM can be started
   */
  public Standings run(List<Contender> contenders, int rounds)
      throws IOException, InterruptedException {
    for (int round = 0; round < rounds && !closed; round++) {
      List<Contender> order = new ArrayList<>(contenders);
      Collections.rotate(order, -(round % order.size()));
      for (Contender contender : order) {
        run(contender, round + 1);
      }
    }
    return standings();
  }

  private Standings standings() {
    return Standings.of(server, results);
  }

  private void run(Contender contender, int round) throws IOException, InterruptedException {
    progress.accept(new Progress(round, contender, Optional.empty(), standings()));
    List<Result> arrived = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of(contender.name()));
    arguments.addAll(plan.arguments());
    String end =
        jvm.run(
            ContenderRun.class,
            arguments,
            plan.limit(),
            line -> {
              Line read = JsonMapper.shared().readValue(line, Line.class);
              server = read.server();
              arrived.add(read.result());
              add(contender, read.result());
              progress.accept(
                  new Progress(round, contender, Optional.of(read.result()), standings()));
            });
    addMissing(contender, arrived, end);
  }

  private void add(Contender contender, Result result) {
    results
        .computeIfAbsent(contender, each -> new EnumMap<>(Scenario.class))
        .computeIfAbsent(result.scenario(), each -> new ArrayList<>())
        .add(result);
  }

  private void addMissing(Contender contender, List<Result> arrived, String why) {
    for (Scenario scenario : Scenario.values()) {
      if (arrived.stream().noneMatch(each -> each.scenario() == scenario)) {
        add(contender, new Result.Broken(scenario, why));
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    jvm.close();
  }
}
