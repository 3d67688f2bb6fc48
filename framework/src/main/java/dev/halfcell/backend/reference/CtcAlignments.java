package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Connectionist temporal classification of a batch. The states of a sample are its labels with a
 * blank before, between and behind them; an alignment walks through them, a state for each frame.
 */
final class CtcAlignments {
  private final CtcLoss op;
  private final CellPath at;
  private final List<Tensor> in;
  private final int frames;
  private final int batch;
  private final int classes;
  private final double[] log;

  CtcAlignments(CtcLoss op, CellPath at, List<Tensor> in) {
    this.op = op;
    this.at = at;
    this.in = in;
    Tensor logits = in.getFirst();
    frames = logits.spec().dim(0);
    batch = logits.spec().dim(1);
    classes = logits.spec().dim(2);
    log = LossKernels.logSoftmax(logits.toArray(), classes);
  }

  /** Loss and slope. */
  List<double[]> compute() {
    double[] slope = new double[log.length];
    double[] each = Loops.fill(batch, n -> sample(n, slope));
    return List.of(LossKernels.reduced(op.reduction(), each, batch), slope);
  }

  private double sample(int n, double[] slope) {
    int longest = in.get(1).spec().dim(1);
    int length = op.requireLength(at, "input lengths", whole(2, n), n, 1, frames);
    int count = op.requireLength(at, "label lengths", whole(3, n), n, 0, longest);
    int[] states = new int[2 * count + 1];
    Arrays.fill(states, op.blank());
    for (int i = 0; i < count; i++) {
      states[2 * i + 1] = op.requireLabel(at, whole(1, n * longest + i), n, i, classes);
    }
    double[][] before = forward(n, length, states);
    double[][] after = backward(n, length, states);
    double likelihood = endings(before[length - 1]);
    boolean possible = likelihood != Double.NEGATIVE_INFINITY;
    if (!possible && op.zeroInfinity()) {
      return 0;
    }
    double share = 1.0 / op.divisor(count);
    double ofSlope = share / op.reduction().divisor(batch);
    for (int t = 0; t < length; t++) {
      for (int c = 0; c < classes; c++) {
        double taken = possible ? taken(states, c, before[t], after[t], likelihood) : Double.NaN;
        slope[place(t, n) + c] = ofSlope * (Math.exp(log[place(t, n) + c]) - taken);
      }
    }
    return -likelihood * share;
  }

  /** How probable it is that the frame is in a state of class {@code c}. */
  private static double taken(
      int[] states, int c, double[] before, double[] after, double likelihood) {
    return Loops.sum(
        states.length, s -> states[s] == c ? Math.exp(before[s] + after[s] - likelihood) : 0);
  }

  private long whole(int input, int index) {
    return Elements.whole(in.get(input).data(), in.get(input).dtype(), index);
  }

  private int place(int t, int n) {
    return (t * batch + n) * classes;
  }

  /** For each frame and state, log of the probability of all ways there, the frame included. */
  private double[][] forward(int n, int length, int[] states) {
    double[][] alpha = impossible(length, states.length);
    for (int s = 0; s < Math.min(2, states.length); s++) {
      alpha[0][s] = log[place(0, n) + states[s]];
    }
    for (int t = 1; t < length; t++) {
      for (int s = 0; s < states.length; s++) {
        double sum = alpha[t - 1][s];
        sum = s >= 1 ? add(sum, alpha[t - 1][s - 1]) : sum;
        sum = skips(states, s) ? add(sum, alpha[t - 1][s - 2]) : sum;
        alpha[t][s] = sum + log[place(t, n) + states[s]];
      }
    }
    return alpha;
  }

  /** For each frame and state, log of the probability of all ways on, the frame not included. */
  private double[][] backward(int n, int length, int[] states) {
    double[][] beta = impossible(length, states.length);
    for (int s = Math.max(0, states.length - 2); s < states.length; s++) {
      beta[length - 1][s] = 0;
    }
    for (int t = length - 2; t >= 0; t--) {
      for (int s = 0; s < states.length; s++) {
        for (int next = s; next < Math.min(s + 3, states.length); next++) {
          if (next < s + 2 || skips(states, next)) {
            double way = beta[t + 1][next] + log[place(t + 1, n) + states[next]];
            beta[t][s] = add(beta[t][s], way);
          }
        }
      }
    }
    return beta;
  }

  /** Whether a state may follow the one before its predecessor: no two labels become one. */
  private boolean skips(int[] states, int s) {
    return s >= 2 && states[s] != op.blank() && states[s] != states[s - 2];
  }

  private static double endings(double[] alpha) {
    int last = alpha.length - 1;
    return last == 0 ? alpha[0] : add(alpha[last], alpha[last - 1]);
  }

  private static double[][] impossible(int length, int states) {
    return IntStream.range(0, length)
        .mapToObj(_ -> Loops.fill(states, _ -> Double.NEGATIVE_INFINITY))
        .toArray(double[][]::new);
  }

  /** log(exp a + exp b). */
  private static double add(double a, double b) {
    double larger = Math.max(a, b);
    return larger == Double.NEGATIVE_INFINITY
        ? larger
        : larger + Math.log(Math.exp(a - larger) + Math.exp(b - larger));
  }
}
