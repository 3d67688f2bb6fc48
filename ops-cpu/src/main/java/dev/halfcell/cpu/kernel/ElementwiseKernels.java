package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Binary;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.op.elementwise.Where;
import dev.halfcell.op.elementwise.WhereGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import java.util.Arrays;
import java.util.List;

/** Loops over single places, of operands of one shape or repeated along axes. */
final class ElementwiseKernels {
  private ElementwiseKernels() {}

  static void build(KernelBuilder builder, Elementwise op, List<Operand> in, Operand out) {
    if (op instanceof Compare(Comparison comparison) && !in.getFirst().dtype().floating()) {
      WholeComparison.build(builder, comparison, in, out);
      return;
    }
    if (op instanceof Curve curve && CurveTable.suits(curve, out)) {
      CurveTable.stage(builder, curve, in.getFirst(), out);
      return;
    }
    if (op instanceof CurveGradient(Curve of) && CurveTable.suits(of, out)) {
      CurveTable.slopeStage(builder, of, in.get(0), in.get(1), out);
      return;
    }
    boolean alike = in.stream().allMatch(x -> x.spec().shape().equals(out.spec().shape()));
    if (op instanceof ReluGradient) {
      ReluGradients.build(builder, in.subList(0, 1), in.get(1), out);
    } else if (alike) {
      Flat.stageOfLoops(builder, in, List.of(out), () -> loop(op));
    } else {
      Broadcasts.stage(builder, in, out, loop(op));
    }
  }

  private static Flat.Loop loop(Elementwise op) {
    return switch (op) {
      case Affine affine -> PairLoops.of(affine);
      case Binary binary -> PairLoops.of(binary);
      case SlopedGradient gradient -> PairSlopes.of(gradient);
      case Compare compare -> PairLoops.of(compare);
      case Where() -> PairLoops::where;
      case WhereGradient(boolean taken) -> taken ? PairLoops::taken : PairLoops::notTaken;
      case Curve curve -> CurveLoops.of(curve);
      case CurveGradient(Curve of) -> CurveSlopes.of(of);
      case Relu() -> ElementwiseKernels::relu;
      case ReluGradient() -> throw new IllegalStateException("masked as it lies in memory");
      case ZerosLike() -> (_, y, count, _) -> Arrays.fill(y[0], 0, count, 0f);
    };
  }

  static void relu(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = Math.max(x[i], 0f); // keeps a NaN
    }
  }

  /** y = max(a + b, 0). */
  static void addRelu(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = Math.max(a[i] + b[i], 0f);
    }
  }
}
