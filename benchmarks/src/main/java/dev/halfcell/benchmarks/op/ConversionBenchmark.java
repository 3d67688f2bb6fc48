package dev.halfcell.benchmarks.op;

import dev.halfcell.backend.Backend;
import dev.halfcell.benchmarks.PlannedOp;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import org.openjdk.jmh.annotations.Param;

/** Casts between FP32 and each half. */
public class ConversionBenchmark extends CpuBenchmark {
  /** From what to what. */
  @Param public Conversion conversion = Conversion.FP32_TO_BF16;

  /** How many numbers: some that stay in the cache, and some that do not. */
  @Param({"65536", "16777216"})
  public int elements = 65_536;

  /** From what to what. */
  public enum Conversion {
    FP32_TO_BF16(DType.FP32, DType.BF16),
    BF16_TO_FP32(DType.BF16, DType.FP32),
    FP32_TO_FP16(DType.FP32, DType.FP16),
    FP16_TO_FP32(DType.FP16, DType.FP32);

    private final DType from;
    private final DType to;

    Conversion(DType from, DType to) {
      this.from = from;
      this.to = to;
    }
  }

  @Override
  PlannedOp plan(Backend cpu) {
    Cast cast = new Cast(conversion.to, CastOverflow.INF);
    return new PlannedOp(cpu, cast, TensorSpec.of(conversion.from, elements));
  }
}
