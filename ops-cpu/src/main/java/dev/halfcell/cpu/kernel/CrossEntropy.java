package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.Elements;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Softmax cross entropy, its gradient, or both from one softmax, row by row. Exponentials are
 * shifted by the largest logit of the row, so that none overflows. Labels are read before anything
 * is computed: how many rows count is part of every gradient.
 */
final class CrossEntropy {
  private static final int LEFT_OUT = -1;

  private final Targets targets;
  private final LossReduction reduction;
  private final String label;
  private final CellPath at;
  private final List<Operand> in;
  private final Optional<Operand> gradient;
  private final int classes;
  private final int[] wanted;
  private int counted;

  /** {@code in} are logits, labels and, where a gradient is wanted, that of the loss. */
  CrossEntropy(
      SoftmaxCrossEntropy loss,
      String label,
      CellPath at,
      List<Operand> in,
      Optional<Operand> gradient) {
    this.targets = loss.targets();
    this.reduction = loss.reduction();
    this.label = label;
    this.at = at;
    this.in = in;
    this.gradient = gradient;
    this.classes = in.getFirst().spec().dim(1);
    this.wanted = new int[in.getFirst().spec().dim(0)];
  }

  void build(KernelBuilder builder, Optional<Operand> loss) {
    Split split = Split.of(wanted.length, 1, builder.threads());
    double[] sums = new double[split.parts()];
    double[] entropies = new double[wanted.length];
    Chunk[] chunks =
        IntStream.range(0, sums.length).mapToObj(_ -> new Chunk(classes)).toArray(Chunk[]::new);
    double[][] exponentials = new double[sums.length][classes];
    SoftmaxLoops[] loops =
        IntStream.range(0, sums.length)
            .mapToObj(_ -> new SoftmaxLoops())
            .toArray(SoftmaxLoops[]::new);
    builder.stage(1, _ -> readLabels());
    builder.stage(
        sums.length,
        part -> {
          double sum = 0;
          for (int row = split.from(part); row < split.from(part + 1); row++) {
            entropies[row] = row(row, chunks[part], loops[part], exponentials[part]);
            sum += entropies[row];
          }
          sums[part] = sum;
        });
    loss.ifPresent(to -> builder.stage(1, _ -> write(to, entropies, sums)));
  }

  private void write(Operand to, double[] entropies, double[] sums) {
    switch (reduction) {
      case NONE -> Scalars.setAll(to, entropies);
      case MEAN, SUM -> Scalars.set(to, Scalars.sum(sums) / reduction.divisor(counted));
    }
  }

  private void readLabels() {
    Operand labels = in.get(1);
    counted = 0;
    for (int row = 0; row < wanted.length; row++) {
      long value = Elements.whole(labels.region().data(), labels.dtype(), row);
      boolean counts = targets.counts(value);
      wanted[row] = counts ? Targets.requireClass(label, at, value, row, classes) : LEFT_OUT;
      counted += counts ? 1 : 0;
    }
  }

  /** Returns a row's part of the sum and writes its gradient, if that is wanted. */
  private double row(int row, Chunk chunk, SoftmaxLoops loops, double[] exponentials) {
    int target = wanted[row];
    double entropy = 0;
    if (target == LEFT_OUT) {
      Arrays.fill(chunk.values, 0);
    } else {
      Operand logits = in.getFirst();
      chunk.load(logits, (long) row * classes, classes);
      entropy = entropy(chunk.values, row, loops, exponentials);
    }
    gradient.ifPresent(to -> chunk.store(to, (long) row * classes, classes));
    return entropy;
  }

  /** Returns −Σ target · log softmax(x), and leaves the gradient in x, if that is wanted. */
  private double entropy(float[] x, int row, SoftmaxLoops loops, double[] exponentials) {
    int target = wanted[row];
    double largest = Largest.of(x, 0, classes);
    double sum = loops.exponentials(x, largest, exponentials, classes);
    double entropy = Math.log(sum) - (x[target] - largest);
    double smoothing = targets.smoothing();
    if (smoothing > 0) {
      double ofAll = classes * (Math.log(sum) + largest) - RunningSums.of(x, 0, classes);
      entropy = (1 - smoothing) * entropy + smoothing / classes * ofAll;
    }
    if (gradient.isPresent()) {
      double d = Scalars.get(in.get(2), reduction.place(row)) / reduction.divisor(counted);
      double each = smoothing / classes;
      for (int c = 0; c < classes; c++) {
        x[c] = (float) (d * (exponentials[c] / sum - each));
      }
      double ofTarget = exponentials[target] / sum - each - (1 - smoothing);
      x[target] = (float) (d * ofTarget);
    }
    return entropy;
  }
}
