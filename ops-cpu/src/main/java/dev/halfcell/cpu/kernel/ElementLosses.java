package dev.halfcell.cpu.kernel;

import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Losses of pairs of elements, in double. */
final class ElementLosses {
  private ElementLosses() {}

  static void loss(KernelBuilder builder, ElementLoss loss, List<Operand> in, Operand out) {
    boolean each = each(loss, out).isPresent();
    Layout layout = each ? out.layout() : in.getFirst().layout();
    Operand x = builder.in(in.get(0), in.get(0).dtype(), layout);
    Operand target = builder.in(in.get(1), x.dtype(), layout);
    int size = Flat.size(x);
    Split split = Split.of(size, Chunk.SIZE, builder.threads());
    Walk[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new Walk(builder.scratch(part), loss, x, target, each(loss, out)))
            .toArray(Walk[]::new);
    double[] sums = new double[parts.length];
    builder.stage(
        parts.length, part -> sums[part] = parts[part].run(split.from(part), split.from(part + 1)));
    if (!each) {
      int divisor = loss.reduction().divisor(size);
      builder.stage(1, _ -> Scalars.set(out, Scalars.sum(sums) / divisor));
    }
  }

  /** Where each loss goes, if they are wanted. */
  private static Optional<Operand> each(ElementLoss loss, Operand out) {
    return loss.reduction() == LossReduction.NONE ? Optional.of(out) : Optional.empty();
  }

  /** One part's walk over its range, with chunks of its own. */
  private record Walk(
      ElementLoss loss,
      Operand x,
      Operand target,
      Optional<Operand> out,
      Chunk a,
      Chunk b,
      double[] losses,
      LogisticLosses logistic) {
    Walk(Scratch scratch, ElementLoss loss, Operand x, Operand target, Optional<Operand> out) {
      this(
          loss,
          x,
          target,
          out,
          scratch.chunk(),
          scratch.chunk(),
          scratch.doubles(Chunk.SIZE),
          new LogisticLosses());
    }

    /** The sum of the losses, each of which is written if that is wanted. */
    double run(int begin, int end) {
      double sum = 0;
      for (int start = begin; start < end; start += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, end - start);
        a.load(x, start, count);
        b.load(target, start, count);
        compute(a.values, b.values, count);
        if (out.isPresent()) {
          write(out.get(), start, count);
        }
        sum += RunningSums.of(losses, 0, count);
      }
      return sum;
    }

    private void compute(float[] x, float[] wanted, int count) {
      switch (loss) {
        case MeanSquaredError _ -> squares(x, wanted, losses, count);
        case L1 _ -> distances(x, wanted, losses, count);
        case SmoothL1(double beta, var _) -> smoothDistances(x, wanted, beta, losses, count);
        case BceWithLogits _ -> logistic.compute(x, wanted, losses, count);
      }
    }

    private void write(Operand y, int start, int count) {
      for (int i = 0; i < count; i++) {
        a.values[i] = (float) losses[i];
      }
      a.store(y, start, count);
    }
  }

  private static void squares(float[] x, float[] target, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      double difference = (double) x[i] - target[i];
      to[i] = difference * difference;
    }
  }

  private static void distances(float[] x, float[] target, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Math.abs((double) x[i] - target[i]);
    }
  }

  /** Without a branch: what lies beyond beta counts as it is, what lies below squared. */
  private static void smoothDistances(
      float[] x, float[] target, double beta, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      double distance = Math.abs((double) x[i] - target[i]);
      double below = Math.min(distance, beta);
      to[i] = below * below / (2 * beta) + (distance - below);
    }
  }
}
