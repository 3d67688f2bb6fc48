package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.Accumulate;
import dev.halfcell.op.update.CountFinite;
import dev.halfcell.op.update.Restart;
import dev.halfcell.op.update.Window;
import dev.halfcell.op.update.WindowClean;
import dev.halfcell.op.update.WindowScale;
import dev.halfcell.op.update.WindowStatistic;
import java.util.List;

/** Windows of micro-batches. */
final class WindowKernels {
  private WindowKernels() {}

  static void build(KernelBuilder builder, Window op, List<Operand> in, Operand out) {
    switch (op) {
      case Accumulate() -> accumulate(builder, in, out);
      case WindowStatistic() ->
          Flat.stage(
              builder,
              in.subList(0, 2),
              List.of(out),
              (from, to, count, _) ->
                  System.arraycopy(from[begins(in) ? 1 : 0], 0, to[0], 0, count));
      case WindowScale scale ->
          builder.stage(
              1, _ -> Scalars.set(out, scale.of(number(in, 0), number(in, 1), number(in, 2))));
      case WindowClean() ->
          builder.stage(
              1,
              _ -> Scalars.set(out, number(in, 0) != 0 && number(in, 1) == number(in, 2) ? 1 : 0));
      case CountFinite() ->
          builder.stage(1, _ -> Scalars.set(out, number(in, 0) + (number(in, 1) != 0 ? 1 : 0)));
      case Restart() -> builder.stage(1, _ -> Scalars.set(out, 0));
    }
  }

  private static double number(List<Operand> in, int index) {
    return Scalars.get(in.get(index));
  }

  /** Whether the count behind two tensors is 0. */
  private static boolean begins(List<Operand> in) {
    return number(in, 2) == 0;
  }

  private static void accumulate(KernelBuilder builder, List<Operand> in, Operand out) {
    Flat.stage(
        builder,
        in.subList(0, 2),
        List.of(out),
        (from, to, count, _) -> {
          if (begins(in)) {
            System.arraycopy(from[1], 0, to[0], 0, count);
          } else {
            for (int i = 0; i < count; i++) {
              to[0][i] = from[0][i] + from[1][i];
            }
          }
        });
  }
}
