package dev.halfcell.benchmarks.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Every benchmark is found and runs: one short iteration of each choice but the dtype, without
 * forks.
 */
final class CpuBenchmarkTest {
  @Test
  void everyOpRuns() throws RunnerException {
    assertEquals(SingleOp.values().length, run("OpBenchmark"));
  }

  @Test
  void everyConversionRuns() throws RunnerException {
    assertEquals(4, run("ConversionBenchmark"));
  }

  @Test
  void everyUpdateRuns() throws RunnerException {
    assertEquals(3, run("UpdateBenchmark"));
  }

  private static int run(String benchmark) throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options.include(benchmark).forks(0).warmupIterations(0).measurementIterations(1);
    options.measurementTime(TimeValue.milliseconds(1)).verbosity(VerboseMode.SILENT);
    options.param("dtype", "BF16").param("elements", "65536").shouldFailOnError(true);
    Collection<RunResult> results = new Runner(options.build()).run();
    results.forEach(result -> assertTrue(result.getPrimaryResult().getScore() > 0));
    return results.size();
  }
}
