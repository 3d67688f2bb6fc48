package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.DType;
import java.util.List;

/** Casts, and the loss scale's part of a step. */
final class PrecisionKernels {
  private PrecisionKernels() {}

  static void build(
      KernelBuilder builder, Precision op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Cast cast -> cast(builder, cast, in, out, at);
      case StochasticCast cast -> RandomKernels.stochasticCast(builder, cast, in, out.getFirst());
      case CellOutput() -> Flat.copy(builder, in.getFirst(), out.getFirst());
      case WithPartials sums -> throw sums.refused(at);
      case Unscale() -> unscale(builder, in, out);
      case GradientCheck() -> GradientChecks.build(builder, in, out);
      case LargestMagnitude() -> Magnitudes.build(builder, in, out.getFirst());
      case ScaleUpdate update -> builder.stage(1, _ -> scale(update, in, out));
    }
  }

  private static void cast(
      KernelBuilder builder, Cast op, List<Operand> in, List<Operand> out, CellPath at) {
    if (!in.getFirst().dtype().floating() || !op.to().floating()) {
      ReferenceStage.add(builder, op, in, out, at);
    } else if (op.overflow() == CastOverflow.INF) {
      Flat.cast(builder, in.getFirst(), out.getFirst());
    } else {
      bounded(builder, op, in, out);
    }
  }

  private static void bounded(KernelBuilder builder, Cast op, List<Operand> in, List<Operand> out) {
    float tooLarge = tooLarge(op.to());
    float instead = (float) op.overflow().instead(1, op.to());
    Flat.stage(
        builder,
        in,
        out,
        (from, to, count, _) -> {
          for (int i = 0; i < count; i++) {
            float x = from[0][i];
            float size = Math.abs(x);
            boolean overflows = size >= tooLarge && size < Float.POSITIVE_INFINITY;
            to[0][i] = overflows ? Math.copySign(instead, x) : x;
          }
        });
  }

  /** The least float that is rounded to an infinity: half a step above the largest number. */
  private static float tooLarge(DType to) {
    return switch (to) {
      case FP16 -> 65520;
      case BF16 -> 0x1.FFp127f;
      case FP32 -> Float.POSITIVE_INFINITY;
      case FP64, INT64, INT32, UINT8, BOOL -> throw Chunk.unsupported(to);
    };
  }

  private static void unscale(KernelBuilder builder, List<Operand> in, List<Operand> out) {
    Operand scale = in.get(1);
    Flat.stage(
        builder,
        in.subList(0, 1),
        out,
        (from, to, count, _) -> {
          double reciprocal = 1 / Scalars.get(scale);
          for (int i = 0; i < count; i++) {
            to[0][i] = (float) (from[0][i] * reciprocal);
          }
        });
  }

  private static void scale(ScaleUpdate update, List<Operand> in, List<Operand> out) {
    LossScale.State next = update.next(in.stream().map(Scalars::all).toList());
    Scalars.set(out.get(0), next.scale());
    Scalars.set(out.get(1), (double) next.clean());
    if (update.words() > 0) {
      Scalars.setAll(out.get(2), next.words().stream().mapToDouble(word -> word).toArray());
    }
  }
}
