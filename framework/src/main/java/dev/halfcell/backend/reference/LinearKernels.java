package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;

import dev.halfcell.op.elementwise.Broadcast;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class LinearKernels {
  private LinearKernels() {}

  static double[] compute(Linear op, List<Tensor> in) {
    return switch (op) {
      case Dense() -> dense(in);
      case MatMul(boolean transposeA, boolean transposeB, _) ->
          product(Matrices.of(in.get(0), transposeA), Matrices.of(in.get(1), transposeB));
    };
  }

  private static double[] dense(List<Tensor> in) {
    double[] product = product(Matrices.of(in.get(0), false), Matrices.of(in.get(1), true));
    if (in.size() == 2) {
      return product;
    }
    double[] bias = in.get(2).toArray();
    return fill(product.length, i -> product[i] + bias[i % bias.length]);
  }

  private static double[] product(Matrices a, Matrices b) {
    Shape leading = Broadcast.of(a.leading, b.leading);
    int[] ofA = a.starts(leading);
    int[] ofB = b.starts(leading);
    double[] y = new double[ofA.length * a.rows * b.columns];
    for (int matrix = 0; matrix < ofA.length; matrix++) {
      multiply(a, ofA[matrix], b, ofB[matrix], y, matrix * a.rows * b.columns);
    }
    return y;
  }

  private static void multiply(Matrices a, int ofA, Matrices b, int ofB, double[] y, int start) {
    for (int i = 0; i < a.rows; i++) {
      for (int j = 0; j < b.columns; j++) {
        double sum = 0;
        for (int k = 0; k < a.columns; k++) {
          sum +=
              a.values[ofA + i * a.down + k * a.right] * b.values[ofB + k * b.down + j * b.right];
        }
        y[start + i * b.columns + j] = sum;
      }
    }
  }

  /**
   * Matrices in one tensor, with the steps from one element to the next below it and to the next on
   * its right.
   */
  private record Matrices(
      double[] values, Shape leading, int rows, int columns, int down, int right) {
    static Matrices of(Tensor x, boolean transposed) {
      int rank = x.spec().rank();
      int rows = x.spec().dim(rank - 2);
      int columns = x.spec().dim(rank - 1);
      Shape leading = x.shape().head(rank - 2);
      return transposed
          ? new Matrices(x.toArray(), leading, columns, rows, 1, columns)
          : new Matrices(x.toArray(), leading, rows, columns, columns, 1);
    }

    /** For each place of {@code shape}, where the matrix begins that stands there. */
    int[] starts(Shape shape) {
      int[] starts = Loops.positions(shape, Broadcast.repeats(leading, shape.rank()));
      return Arrays.stream(starts).map(matrix -> matrix * rows * columns).toArray();
    }
  }
}
