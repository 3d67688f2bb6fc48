package dev.halfcell.cpu.kernel;

import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.tensor.Elements;
import java.util.List;

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
    Operand x = builder.in(in.getFirst(), in.getFirst().dtype(), Layout.ROW_MAJOR);
    Operand y = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Operand samples = in.get(1);
    int each = Flat.size(x) / Flat.size(samples);
    long stream = key.stream();
    Flat.stage(
        builder,
        List.of(x),
        List.of(y),
        (from, to, count, start) -> {
          for (int i = 0; i < count; i++) {
            int place = start + i;
            long sample = sample(samples, place / each);
            boolean dropped = RandomKey.uniform(stream, sample, place % each) < rate;
            to[0][i] = dropped ? 0 : (float) (from[0][i] / (1 - rate));
          }
        });
  }

  private static long sample(Operand samples, int index) {
    return (long) Elements.get(samples.region().data(), samples.dtype(), index);
  }
}
