package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.Unscale;
import java.util.List;

/** Casts, and the loss scale's part of a step. */
final class PrecisionKernels {
  private PrecisionKernels() {}

  static void build(
      KernelBuilder builder, Precision op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Cast cast -> cast(builder, cast, in, out, at);
      case CellOutput() -> Flat.copy(builder, in.getFirst(), out.getFirst());
      case Unscale() -> unscale(builder, in, out);
      case GradientCheck() -> GradientChecks.build(builder, in, out);
      case ScaleUpdate(LossScale rule) -> builder.stage(1, _ -> scale(rule, in, out));
    }
  }

  private static void cast(
      KernelBuilder builder, Cast op, List<Operand> in, List<Operand> out, CellPath at) {
    if (in.getFirst().dtype().floating() && out.getFirst().dtype().floating()) {
      Flat.cast(builder, in.getFirst(), out.getFirst());
    } else {
      ReferenceStage.add(builder, op, in, out, at);
    }
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

  private static void scale(LossScale rule, List<Operand> in, List<Operand> out) {
    LossScale.State now =
        new LossScale.State(Scalars.get(in.get(0)), (long) Scalars.get(in.get(1)));
    LossScale.State next = rule.next(now, Scalars.get(in.get(2)) != 0);
    Scalars.set(out.get(0), next.scale());
    Scalars.set(out.get(1), (double) next.clean());
  }
}
