package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Softmax cross entropy, its gradient, or both from one softmax, row by row. Exponentials are
 * shifted by the largest logit of the row, so that none overflows.
 */
final class CrossEntropy {
  private final String label;
  private final CellPath at;
  private final List<Operand> in;
  private final Optional<Operand> gradient;
  private final int rows;
  private final int classes;

  private CrossEntropy(String label, CellPath at, List<Operand> in, Optional<Operand> gradient) {
    this.label = label;
    this.at = at;
    this.in = in;
    this.gradient = gradient;
    this.rows = in.getFirst().spec().dim(0);
    this.classes = in.getFirst().spec().dim(1);
  }

  /** {@code in} are logits, labels and, where a gradient is wanted, that of the loss. */
  static void build(
      KernelBuilder builder,
      String label,
      List<Operand> in,
      Optional<Operand> loss,
      Optional<Operand> gradient,
      CellPath at) {
    CrossEntropy entropy = new CrossEntropy(label, at, in, gradient);
    Split split = Split.of(entropy.rows, 1, builder.threads());
    double[] sums = new double[split.parts()];
    Chunk[] chunks =
        IntStream.range(0, sums.length)
            .mapToObj(_ -> new Chunk(entropy.classes))
            .toArray(Chunk[]::new);
    double[][] exponentials = new double[sums.length][entropy.classes];
    builder.stage(
        sums.length,
        part -> {
          double sum = 0;
          for (int row = split.from(part); row < split.from(part + 1); row++) {
            sum += entropy.row(row, chunks[part], exponentials[part]);
          }
          sums[part] = sum;
        });
    loss.ifPresent(
        to ->
            builder.stage(
                1,
                _ -> {
                  double sum = 0;
                  for (double part : sums) {
                    sum += part;
                  }
                  Scalars.set(to, sum / entropy.rows);
                }));
  }

  /** Returns −log softmax(logits)[label] of a row and writes its gradient, if that is wanted. */
  private double row(int row, Chunk chunk, double[] exponentials) {
    Operand logits = in.get(0);
    int target = target(row);
    chunk.load(logits.region().data(), logits.dtype(), (long) row * classes, classes);
    float[] x = chunk.values;
    float largest = x[0];
    for (int c = 1; c < classes; c++) {
      largest = Math.max(largest, x[c]);
    }
    double sum = 0;
    for (int c = 0; c < classes; c++) {
      exponentials[c] = Math.exp((double) x[c] - largest);
      sum += exponentials[c];
    }
    double entropy = Math.log(sum) - ((double) x[target] - largest);
    if (gradient.isPresent()) {
      double d = Scalars.get(in.get(2)) / rows;
      for (int c = 0; c < classes; c++) {
        x[c] = (float) (d * (exponentials[c] / sum - (c == target ? 1 : 0)));
      }
      Operand to = gradient.get();
      chunk.store(to.region().data(), to.dtype(), (long) row * classes, classes);
    }
    return entropy;
  }

  private int target(int row) {
    Operand labels = in.get(1);
    double target = Elements.get(labels.region().data(), labels.dtype(), row);
    if (target < 0 || target >= classes) {
      throw new DataException(
          new Problem(
              label,
              at.text(),
              "labels from 0 to %d (%d classes)".formatted(classes - 1, classes),
              "label %.0f in row %d".formatted(target, row),
              "Check the data set's labels and the number of outputs of the network."));
    }
    return (int) target;
  }
}
