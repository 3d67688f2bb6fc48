package dev.halfcell.cpu.kernel;

import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import java.util.List;
import java.util.stream.IntStream;

/** Means over pairs of elements, in double, and their gradients. */
final class ElementLosses {
  private ElementLosses() {}

  static void loss(KernelBuilder builder, ElementLoss loss, List<Operand> in, Operand out) {
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
            sum += sum(loss, a.values, b.values, count);
          }
          sums[part] = sum;
        });
    builder.stage(1, _ -> Scalars.set(out, sum(sums) / size));
  }

  private static double sum(double[] parts) {
    double sum = 0;
    for (double part : parts) {
      sum += part;
    }
    return sum;
  }

  private static double sum(ElementLoss loss, float[] x, float[] target, int count) {
    return switch (loss) {
      case MeanSquaredError() -> squares(x, target, count);
      case L1() -> distances(x, target, count);
      case SmoothL1(double beta) -> smoothDistances(x, target, beta, count);
      case BceWithLogits() -> entropies(x, target, count);
    };
  }

  private static double squares(float[] x, float[] target, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double difference = (double) x[i] - target[i];
      sum += difference * difference;
    }
    return sum;
  }

  private static double distances(float[] x, float[] target, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.abs((double) x[i] - target[i]);
    }
    return sum;
  }

  /** Without a branch: what lies beyond beta counts as it is, what lies below squared. */
  private static double smoothDistances(float[] x, float[] target, double beta, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double distance = Math.abs((double) x[i] - target[i]);
      double below = Math.min(distance, beta);
      sum += below * below / (2 * beta) + (distance - below);
    }
    return sum;
  }

  private static double entropies(float[] x, float[] target, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double logit = x[i];
      double rest = Math.log1p(Math.exp(-Math.abs(logit)));
      sum += Math.max(logit, 0) - logit * target[i] + rest;
    }
    return sum;
  }

  static void gradient(KernelBuilder builder, ElementLoss loss, List<Operand> in, Operand out) {
    Operand d = in.get(2);
    double size = Flat.size(out);
    Flat.stage(
        builder,
        in.subList(0, 2),
        List.of(out),
        (from, to, count, _) ->
            slopes(loss, from[0], from[1], Scalars.get(d) / size, to[0], count));
  }

  private static void slopes(
      ElementLoss loss, float[] x, float[] target, double share, float[] dx, int count) {
    switch (loss) {
      case MeanSquaredError() -> {
        for (int i = 0; i < count; i++) {
          dx[i] = (float) (share * 2 * ((double) x[i] - target[i]));
        }
      }
      case L1() -> {
        for (int i = 0; i < count; i++) {
          dx[i] = (float) (share * Math.signum((double) x[i] - target[i]));
        }
      }
      case SmoothL1(double beta) -> {
        for (int i = 0; i < count; i++) {
          double slope = ((double) x[i] - target[i]) / beta;
          dx[i] = (float) (share * Math.max(-1, Math.min(1, slope)));
        }
      }
      case BceWithLogits() -> {
        for (int i = 0; i < count; i++) {
          dx[i] = (float) (share * (1 / (1 + Math.exp(-x[i])) - target[i]));
        }
      }
    }
  }
}
