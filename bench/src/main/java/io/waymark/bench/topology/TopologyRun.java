package io.waymark.bench.topology;

import io.waymark.bench.ContenderJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * All contenders, one after the other, each in a JVM of its own. Closing it ends the one that runs.
 */
public final class TopologyRun implements AutoCloseable {
  private final TopologyPlan plan;
  private final Consumer<TopologyContender> begins;
  private final ContenderJvm jvm = new ContenderJvm();
  private volatile boolean closed;

  /**
   * Runs nothing yet.
   *
   * @param begins is told whose turn it is, on the thread that runs
   */
  public TopologyRun(TopologyPlan plan, Consumer<TopologyContender> begins) {
    this.plan = plan;
    this.begins = begins;
  }

  /**
   * Runs them.
   *
   * @return a result for each, in their order
   * @throws IOException if no JVM can be started
   */
  public List<TopologyResult> run(List<TopologyContender> contenders)
      throws IOException, InterruptedException {
    List<TopologyResult> results = new ArrayList<>();
    for (TopologyContender contender : contenders) {
      if (!closed) {
        begins.accept(contender);
        results.add(run(contender));
      }
    }
    return results;
  }

  private TopologyResult run(TopologyContender contender) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(contender.name()));
    arguments.addAll(plan.arguments());
    List<TopologyResult> result = new ArrayList<>();
    String end =
        jvm.run(
            TopologyContenderRun.class,
            arguments,
            plan.limit(),
            line -> result.add(JsonMapper.shared().readValue(line, TopologyResult.class)));
    return result.isEmpty() ? TopologyResult.broken(contender, end) : result.get(0);
  }

  @Override
  public void close() {
    closed = true;
    jvm.close();
  }
}
