package dev.halfcell.cpu.kernel;

import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The gradients of losses of pairs of elements. */
final class ElementLossSlopes {
  private ElementLossSlopes() {}

  /** {@code in} are x, target and the gradient of the loss, which may be one for each pair. */
  static void build(KernelBuilder builder, ElementLoss loss, List<Operand> in, Operand out) {
    if (loss.reduction() == LossReduction.NONE) {
      Flat.stageOfLoops(builder, in, List.of(out), () -> each(loss));
      return;
    }
    double divisor = loss.reduction().divisor(Flat.size(out));
    DoubleSupplier share = () -> Scalars.get(in.get(2)) / divisor;
    Flat.stageOfLoops(builder, in.subList(0, 2), List.of(out), () -> loop(loss, share));
  }

  private static Flat.Loop each(ElementLoss loss) {
    Flat.Loop slopes = loop(loss, () -> 1);
    return (in, out, count, start) -> {
      slopes.run(in, out, count, start);
      scale(out[0], in[2], count);
    };
  }

  private static void scale(float[] slopes, float[] d, int count) {
    for (int i = 0; i < count; i++) {
      slopes[i] *= d[i];
    }
  }

  private static Flat.Loop loop(ElementLoss loss, DoubleSupplier share) {
    return switch (loss) {
      case MeanSquaredError _ -> of(ElementLossSlopes::ofSquares, share);
      case L1 _ -> of(ElementLossSlopes::ofDistances, share);
      case SmoothL1(double beta, var _) ->
          of((x, s, dx, count) -> smooth(x, beta, s, dx, count), share);
      case BceWithLogits _ ->
          new ExponentialLoop(
              0,
              SigmoidLoops::negative,
              (x, from, e, dx, count) ->
                  ofEntropies(x[1], from, e, share.getAsDouble(), dx, count));
    };
  }

  /** Slopes of pairs of x and targets, times a share. */
  @FunctionalInterface
  private interface Slopes {
    void run(float[][] pairs, double share, float[] dx, int count);
  }

  private static Flat.Loop of(Slopes slopes, DoubleSupplier share) {
    return (in, out, count, _) -> slopes.run(in, share.getAsDouble(), out[0], count);
  }

  private static void ofSquares(float[][] pairs, double share, float[] dx, int count) {
    float[] x = pairs[0];
    float[] target = pairs[1];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (share * 2 * ((double) x[i] - target[i]));
    }
  }

  private static void ofDistances(float[][] pairs, double share, float[] dx, int count) {
    float[] x = pairs[0];
    float[] target = pairs[1];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (share * Math.signum((double) x[i] - target[i]));
    }
  }

  private static void smooth(float[][] pairs, double beta, double share, float[] dx, int count) {
    float[] x = pairs[0];
    float[] target = pairs[1];
    for (int i = 0; i < count; i++) {
      double slope = ((double) x[i] - target[i]) / beta;
      dx[i] = (float) (share * Math.max(-1, Math.min(1, slope)));
    }
  }

  private static void ofEntropies(
      float[] target, int from, double[] e, double share, float[] dx, int count) {
    for (int i = 0; i < count; i++) {
      dx[from + i] = (float) (share * (1 / (1 + e[i]) - target[from + i]));
    }
  }
}
