package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/** The inputs of a recurrent op, and where the steps of each sample stand in them. */
final class Sequences {
  private final Recurrent op;
  private final List<Tensor> in;
  private final CellPath at;
  private final DType dtype;
  final int time;
  final int batch;
  final int inputs;
  final int hidden;
  final double[] x;
  final double[] weightX;
  final double[] weightH;
  final double[] biasX;
  final double[] biasH;

  Sequences(Recurrent op, List<Tensor> in, CellPath at) {
    this.op = op;
    this.in = in;
    this.at = at;
    dtype = in.get(0).dtype();
    time = in.get(0).spec().dim(0);
    batch = in.get(0).spec().dim(1);
    inputs = in.get(0).spec().dim(2);
    hidden = in.get(2).spec().dim(1);
    x = in.get(0).toArray();
    weightX = in.get(1).toArray();
    weightH = in.get(2).toArray();
    biasX = in.get(3).toArray();
    biasH = in.get(4).toArray();
  }

  boolean stateful() {
    return op.pass().stateful();
  }

  /** What goes into a product: rounded where x is half. */
  double rounded(double value) {
    return dtype.half() ? dtype.round(value) : value;
  }

  /** The same of each element, in place. */
  double[] rounded(double[] values) {
    Arrays.setAll(values, i -> rounded(values[i]));
    return values;
  }

  /** Initial state {@code which} of a sample, in an array of its own. */
  double[] initial(int which, int sample) {
    return stateful() ? row(in.get(5 + which).toArray(), sample, hidden) : new double[hidden];
  }

  /** The steps of a sample, in the order in which they are walked. */
  int[] steps(int sample) {
    int length =
        op.pass().lengths()
            ? op.requireLength((long) in.getLast().at(sample), sample, time, at)
            : time;
    int[] steps = new int[length];
    for (int i = 0; i < length; i++) {
      steps[i] = op.pass().first(length) + i * op.pass().step();
    }
    return steps;
  }

  /** The row of a tensor [T, N, ...] that belongs to a step of a sample. */
  int row(int step, int sample) {
    return step * batch + sample;
  }

  /** The row of this number, in an array of its own. */
  static double[] row(double[] matrix, int number, int columns) {
    return Arrays.copyOfRange(matrix, number * columns, (number + 1) * columns);
  }

  /** matrix · vector + bias. */
  static double[] product(double[] matrix, double[] vector, double[] bias) {
    return Loops.fill(
        bias.length,
        i -> bias[i] + Loops.sum(vector.length, k -> matrix[i * vector.length + k] * vector[k]));
  }

  /** matrixᵀ · vector. */
  static double[] transposed(double[] matrix, double[] vector, int columns) {
    return Loops.fill(
        columns, k -> Loops.sum(vector.length, i -> matrix[i * columns + k] * vector[i]));
  }

  /** sums += column · rowᵀ. */
  static void addOuter(double[] sums, double[] column, double[] row) {
    for (int i = 0; i < column.length; i++) {
      for (int k = 0; k < row.length; k++) {
        sums[i * row.length + k] += column[i] * row[k];
      }
    }
  }

  static void add(double[] sums, double[] terms) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += terms[i];
    }
  }

  /** Writes a row into a tensor. */
  static void put(double[] row, double[] tensor, int number) {
    System.arraycopy(row, 0, tensor, number * row.length, row.length);
  }

  static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }
}
