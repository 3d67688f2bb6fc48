package dev.halfcell.benchmarks.op;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.benchmarks.PlannedOp;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One op as a plan of the CPU backend, with all its threads. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public abstract class CpuBenchmark {
  @SuppressWarnings("NullAway.Init")
  private Backend backend;

  @SuppressWarnings("NullAway.Init")
  private PlannedOp planned;

  abstract PlannedOp plan(Backend cpu);

  /** Compiles the op. */
  @Setup
  public void open() {
    backend = Backends.open("cpu");
    planned = plan(backend);
  }

  /** Computes it once. */
  @Benchmark
  public List<Tensor> run() {
    return planned.run();
  }

  /** Frees its memory and ends the backend's threads. */
  @TearDown
  public void close() {
    planned.close();
    backend.close();
  }
}
