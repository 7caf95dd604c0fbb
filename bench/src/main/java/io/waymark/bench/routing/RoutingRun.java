package io.waymark.bench.routing;

import io.waymark.bench.ContenderJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * All contenders, one after the other, each in JVMs of its own. Closing it ends the one that runs.
 */
public final class RoutingRun implements AutoCloseable {
  private final RoutingPlan plan;
  private final Consumer<RoutingContender> begins;
  private final ContenderJvm jvm = new ContenderJvm();
  private volatile boolean closed;

  /**
   * Runs nothing yet.
   *
   * @param begins is told whose turn it is, on the thread that runs
   */
  public RoutingRun(RoutingPlan plan, Consumer<RoutingContender> begins) {
    this.plan = plan;
    this.begins = begins;
  }

  /**
   * Runs them.
   *
   * @return a result for each, for each number of members, in their order
   * @throws IOException if no JVM can be started
   */
  public List<RoutingResult> run(List<RoutingContender> contenders)
      throws IOException, InterruptedException {
    List<RoutingResult> results = new ArrayList<>();
    for (RoutingContender contender : contenders) {
      if (!closed) {
        begins.accept(contender);
      }
      for (int members : RoutingPlan.MEMBERS) {
        if (!closed) {
          results.add(run(contender, members));
        }
      }
    }
    return results;
  }

  private RoutingResult run(RoutingContender contender, int members)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(contender.name(), Integer.toString(members)));
    arguments.addAll(plan.arguments());
    List<RoutingResult> result = new ArrayList<>();
    String end =
        jvm.run(
            RoutingContenderRun.class,
            arguments,
            plan.limit(),
            line -> result.add(JsonMapper.shared().readValue(line, RoutingResult.class)));
    return result.isEmpty() ? RoutingResult.broken(contender, members, end) : result.get(0);
  }

  @Override
  public void close() {
    closed = true;
    jvm.close();
  }
}
