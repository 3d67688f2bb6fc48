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
import java.util.function.DoubleBinaryOperator;

final class LinearKernels {
  private LinearKernels() {}

  static double[] compute(Linear op, List<Tensor> in, DoubleBinaryOperator plus) {
    return switch (op) {
      case Dense() -> dense(in, plus);
      case MatMul(boolean transposeA, boolean transposeB, _) ->
          product(Matrices.of(in.get(0), transposeA), Matrices.of(in.get(1), transposeB), plus);
    };
  }

  private static double[] dense(List<Tensor> in, DoubleBinaryOperator plus) {
    double[] product = product(Matrices.of(in.get(0), false), Matrices.of(in.get(1), true), plus);
    if (in.size() == 2) {
      return product;
    }
    double[] bias = in.get(2).toArray();
    return fill(product.length, i -> plus.applyAsDouble(product[i], bias[i % bias.length]));
  }

  private static double[] product(Matrices a, Matrices b, DoubleBinaryOperator plus) {
    Shape leading = Broadcast.of(a.leading, b.leading);
    int[] ofA = a.starts(leading);
    int[] ofB = b.starts(leading);
    double[] y = new double[ofA.length * a.rows * b.columns];
    for (int matrix = 0; matrix < ofA.length; matrix++) {
      int start = matrix * a.rows * b.columns;
      for (int i = 0; i < a.rows; i++) {
        for (int j = 0; j < b.columns; j++) {
          int left = ofA[matrix] + i * a.down;
          int right = ofB[matrix] + j * b.right;
          y[start + i * b.columns + j] = sum(a, left, b, right, plus);
        }
      }
    }
    return y;
  }

  private static double sum(Matrices a, int ofA, Matrices b, int ofB, DoubleBinaryOperator plus) {
    double sum = 0;
    for (int k = 0; k < a.columns; k++) {
      sum = plus.applyAsDouble(sum, a.values[ofA + k * a.right] * b.values[ofB + k * b.down]);
    }
    return sum;
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
