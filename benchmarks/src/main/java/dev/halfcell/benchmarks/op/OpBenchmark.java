package dev.halfcell.benchmarks.op;

import dev.halfcell.backend.Backend;
import dev.halfcell.benchmarks.PlannedOp;
import dev.halfcell.tensor.DType;
import org.openjdk.jmh.annotations.Param;

/** Single ops of a forward pass, in each dtype. */
public class OpBenchmark extends CpuBenchmark {
  /** The op and its sizes. */
  @Param public SingleOp op = SingleOp.MATMUL;

  /** What it computes in. */
  @Param({"FP32", "BF16", "FP16"})
  public DType dtype = DType.FP32;

  @Override
  PlannedOp plan(Backend cpu) {
    return op.on(cpu, dtype);
  }
}
