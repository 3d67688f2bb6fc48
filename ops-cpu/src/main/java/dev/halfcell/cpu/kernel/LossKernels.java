package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.MeanSquaredErrorGradient;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Losses over a batch and their gradients, in double. */
final class LossKernels {
  private LossKernels() {}

  static void build(
      KernelBuilder builder, Loss op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case MeanSquaredError() -> meanSquaredError(builder, in, out.getFirst());
      case MeanSquaredErrorGradient() -> meanSquaredErrorGradient(builder, in, out);
      case SoftmaxCrossEntropy() ->
          CrossEntropy.build(builder, op.label(), in, Optional.of(out.getFirst()), none(), at);
      case SoftmaxCrossEntropyGradient() ->
          CrossEntropy.build(builder, op.label(), in, none(), Optional.of(out.getFirst()), at);
    }
  }

  private static Optional<Operand> none() {
    return Optional.empty();
  }

  private static void meanSquaredError(KernelBuilder builder, List<Operand> in, Operand out) {
    Operand x = in.get(0);
    Operand target = builder.in(in.get(1), x.dtype(), x.layout());
    int size = Flat.size(x);
    Split split = Split.of(size, Chunk.SIZE, builder.threads());
    double[] sums = new double[split.parts()];
    Chunk[] chunks =
        IntStream.range(0, 2 * sums.length).mapToObj(_ -> new Chunk()).toArray(Chunk[]::new);
    builder.stage(
        sums.length,
        part -> {
          Chunk a = chunks[2 * part];
          Chunk b = chunks[2 * part + 1];
          double sum = 0;
          for (int at = split.from(part); at < split.from(part + 1); at += Chunk.SIZE) {
            int count = Math.min(Chunk.SIZE, split.from(part + 1) - at);
            a.load(x.region().data(), x.dtype(), at, count);
            b.load(target.region().data(), target.dtype(), at, count);
            sum += squares(a.values, b.values, count);
          }
          sums[part] = sum;
        });
    builder.stage(
        1,
        _ ->
            Scalars.set(
                out, IntStream.range(0, sums.length).mapToDouble(p -> sums[p]).sum() / size));
  }

  private static double squares(float[] a, float[] b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double difference = (double) a[i] - b[i];
      sum += difference * difference;
    }
    return sum;
  }

  private static void meanSquaredErrorGradient(
      KernelBuilder builder, List<Operand> in, List<Operand> out) {
    Operand d = in.get(2);
    double size = Flat.size(in.getFirst());
    Flat.stage(
        builder,
        in.subList(0, 2),
        out,
        (from, to, count, _) -> {
          double factor = Scalars.get(d) * 2;
          for (int i = 0; i < count; i++) {
            to[0][i] = (float) (factor * ((double) from[0][i] - from[1][i]) / size);
          }
        });
  }
}
