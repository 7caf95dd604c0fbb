package io.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class SmokeTest {
  @Test
  void everyBenchmarkRuns() throws RunnerException {
    assertThat(
            new Runner(
                    new OptionsBuilder()
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(5))
                        .param("replicas", "3")
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run())
        .isNotEmpty();
  }

  @Test
  void aMedianLiesWithinItsInterval() {
    double[] values = new double[101];
    for (int i = 0; i < values.length; i++) {
      values[i] = 100 - i;
    }

    Median median = Median.of(values);

    assertThat(median).isEqualTo(new Median(40, 50, 60));
  }
}
