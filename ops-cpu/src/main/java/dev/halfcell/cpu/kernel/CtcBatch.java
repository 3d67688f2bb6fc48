package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.tensor.Elements;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Connectionist temporal classification, a sample at a time and samples in parallel, in logarithms
 * and in double. The way forward is kept for all frames, the way back for one: the slope of a frame
 * is written as soon as both have met there.
 */
final class CtcBatch {
  private static final double IMPOSSIBLE = Double.NEGATIVE_INFINITY;

  private final CtcLoss op;
  private final CellPath at;
  private final List<Operand> in;
  private final Operand slope;
  private final int frames;
  private final int batch;
  private final int classes;
  private final int longest;

  private CtcBatch(CtcLoss op, CellPath at, List<Operand> in, Operand slope) {
    this.op = op;
    this.at = at;
    this.in = in;
    this.slope = slope;
    frames = in.getFirst().spec().dim(0);
    batch = in.getFirst().spec().dim(1);
    classes = in.getFirst().spec().dim(2);
    longest = in.get(1).spec().dim(1);
  }

  static void build(
      KernelBuilder builder, CtcLoss op, List<Operand> in, List<Operand> out, CellPath at) {
    CtcBatch all = new CtcBatch(op, at, in, out.get(1));
    Split split = Split.of(all.batch, 1, builder.threads());
    double[] losses = new double[all.batch];
    Sample[] parts =
        IntStream.range(0, split.parts()).mapToObj(_ -> all.new Sample()).toArray(Sample[]::new);
    builder.stage(
        parts.length,
        part -> {
          for (int n = split.from(part); n < split.from(part + 1); n++) {
            losses[n] = parts[part].loss(n);
          }
        });
    builder.stage(1, _ -> all.write(out.getFirst(), losses));
  }

  private void write(Operand to, double[] losses) {
    switch (op.reduction()) {
      case NONE -> Scalars.setAll(to, losses);
      case MEAN, SUM -> Scalars.set(to, Scalars.sum(losses) / op.reduction().divisor(batch));
    }
  }

  /** The work on one sample, with room for the longest. */
  private final class Sample {
    private final int[] states = new int[2 * longest + 1];
    private final Chunk frame = new Chunk(classes);
    private final double[] log = new double[frames * classes];
    private final double[] alpha = new double[frames * states.length];
    private final double[] taken = new double[classes];
    private final double[] exponentials = new double[classes];
    private final SoftmaxLoops loops = new SoftmaxLoops();
    private final Exponentials powers = Exponentials.make();
    private double[] beta = new double[states.length];
    private double[] earlier = new double[states.length];
    private int count;

    double loss(int n) {
      int length = op.requireLength(at, "input lengths", whole(2, n), n, 1, frames);
      int labels = op.requireLength(at, "label lengths", whole(3, n), n, 0, longest);
      readStates(n, labels);
      for (int t = 0; t < length; t++) {
        logSoftmax(t, n);
      }
      forward(length);
      int last = (length - 1) * states.length + count - 1;
      double likelihood = count == 1 ? alpha[last] : add(alpha[last], alpha[last - 1]);
      double share = 1.0 / op.divisor(labels);
      boolean leftOut = likelihood == IMPOSSIBLE && op.zeroInfinity();
      clear(n, leftOut ? 0 : length);
      if (leftOut) {
        return 0;
      }
      backward(n, length, likelihood, share / op.reduction().divisor(batch));
      return -likelihood * share;
    }

    private long whole(int input, int index) {
      Operand from = in.get(input);
      return Elements.whole(from.region().data(), from.dtype(), index);
    }

    private void readStates(int n, int labels) {
      count = 2 * labels + 1;
      Arrays.fill(states, op.blank());
      for (int i = 0; i < labels; i++) {
        states[2 * i + 1] = op.requireLabel(at, whole(1, n * longest + i), n, i, classes);
      }
    }

    private void logSoftmax(int t, int n) {
      Operand logits = in.getFirst();
      long place = (long) (t * batch + n) * classes;
      frame.load(logits, place, classes);
      float[] x = frame.values;
      double largest = Largest.of(x, 0, classes);
      double sum = loops.exponentials(x, largest, exponentials, classes);
      double shift = largest + Math.log(sum);
      for (int c = 0; c < classes; c++) {
        log[t * classes + c] = x[c] - shift;
      }
    }

    private void forward(int length) {
      Arrays.fill(alpha, 0, length * states.length, IMPOSSIBLE);
      alpha[0] = log[states[0]];
      if (count > 1) {
        alpha[1] = log[states[1]];
      }
      for (int t = 1; t < length; t++) {
        int now = t * states.length;
        int before = now - states.length;
        for (int s = 0; s < count; s++) {
          double one = s >= 1 ? alpha[before + s - 1] : IMPOSSIBLE;
          double two = skips(s) ? alpha[before + s - 2] : IMPOSSIBLE;
          alpha[now + s] = add(alpha[before + s], one, two) + log[t * classes + states[s]];
        }
      }
    }

    /** Whether a state may follow the one before its predecessor: no two labels become one. */
    private boolean skips(int s) {
      return s >= 2 && states[s] != op.blank() && states[s] != states[s - 2];
    }

    /** Walks back from the last frame; beta leaves its own frame out. */
    private void backward(int n, int length, double likelihood, double share) {
      Arrays.fill(beta, IMPOSSIBLE);
      beta[count - 1] = 0;
      beta[Math.max(0, count - 2)] = 0;
      for (int t = length - 1; t >= 0; t--) {
        slope(t, n, likelihood, share);
        if (t > 0) {
          step(t);
        }
      }
    }

    private void step(int t) {
      for (int s = 0; s < count; s++) {
        beta[s] += log[t * classes + states[s]];
      }
      for (int s = 0; s < count; s++) {
        double one = s + 1 < count ? beta[s + 1] : IMPOSSIBLE;
        double two = s + 2 < count && skips(s + 2) ? beta[s + 2] : IMPOSSIBLE;
        earlier[s] = add(beta[s], one, two);
      }
      double[] spent = beta;
      beta = earlier;
      earlier = spent;
    }

    private void slope(int t, int n, double likelihood, double share) {
      Arrays.fill(taken, likelihood == IMPOSSIBLE ? Double.NaN : 0);
      for (int s = 0; s < count; s++) {
        taken[states[s]] += Math.exp(alpha[t * states.length + s] + beta[s] - likelihood);
      }
      System.arraycopy(log, t * classes, exponentials, 0, classes);
      powers.of(exponentials, classes);
      for (int c = 0; c < classes; c++) {
        frame.values[c] = (float) (share * (exponentials[c] - taken[c]));
      }
      store(t, n);
    }

    private void clear(int n, int from) {
      Arrays.fill(frame.values, 0);
      for (int t = from; t < frames; t++) {
        store(t, n);
      }
    }

    private void store(int t, int n) {
      long place = (long) (t * batch + n) * classes;
      frame.store(slope, place, classes);
    }
  }

  private static double add(double a, double b) {
    return add(a, b, IMPOSSIBLE);
  }

  /** log(exp a + exp b + exp c). */
  private static double add(double a, double b, double c) {
    double largest = Math.max(a, Math.max(b, c));
    return largest == IMPOSSIBLE
        ? largest
        : largest + Math.log(Math.exp(a - largest) + Math.exp(b - largest) + Math.exp(c - largest));
  }
}
