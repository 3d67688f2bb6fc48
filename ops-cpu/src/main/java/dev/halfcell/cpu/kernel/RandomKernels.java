package dev.halfcell.cpu.kernel;

import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.tensor.Elements;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** Ops that draw numbers. Positions are counted in row-major order. */
final class RandomKernels {
  private RandomKernels() {}

  static void build(KernelBuilder builder, RandomOp op, List<Operand> in, Operand out) {
    switch (op) {
      case Dropout(double rate, RandomKey key) -> dropout(builder, rate, key, in, out);
    }
  }

  private static void dropout(
      KernelBuilder builder, double rate, RandomKey key, List<Operand> in, Operand out) {
    stage(builder, key, in, out, (x, drawn) -> drawn < rate ? 0 : x / (1 - rate));
  }

  static void stochasticCast(
      KernelBuilder builder, StochasticCast op, List<Operand> in, Operand out) {
    stage(builder, op.key(), in, out, op::round);
  }

  /** (x, counters) → what {@code of} gives for each x and the number in [0, 1) drawn for it. */
  private static void stage(
      KernelBuilder builder,
      RandomKey key,
      List<Operand> in,
      Operand out,
      DoubleBinaryOperator of) {
    Operand x = builder.in(in.getFirst(), in.getFirst().dtype(), Layout.ROW_MAJOR);
    Operand y = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Operand counters = in.get(1);
    int each = Flat.size(x) / Flat.size(counters);
    long stream = key.stream();
    Flat.stage(
        builder,
        List.of(x),
        List.of(y),
        (from, to, count, start) -> {
          for (int i = 0; i < count; i++) {
            int place = start + i;
            long counter = counter(counters, place / each);
            double drawn = RandomKey.uniform(stream, counter, place % each);
            to[0][i] = (float) of.applyAsDouble(from[0][i], drawn);
          }
        });
  }

  private static long counter(Operand counters, int index) {
    return (long) Elements.get(counters.region().data(), counters.dtype(), index);
  }
}
