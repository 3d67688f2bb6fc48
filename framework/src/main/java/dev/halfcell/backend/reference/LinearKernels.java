package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;

import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class LinearKernels {
  private LinearKernels() {}

  static double[] compute(Linear op, List<Tensor> in) {
    return switch (op) {
      case Dense() -> dense(in);
      case MatMul(boolean transposeA, boolean transposeB, _) ->
          product(Matrix.of(in.get(0), transposeA), Matrix.of(in.get(1), transposeB));
    };
  }

  private static double[] dense(List<Tensor> in) {
    double[] product = product(Matrix.of(in.get(0), false), Matrix.of(in.get(1), true));
    if (in.size() == 2) {
      return product;
    }
    double[] bias = in.get(2).toArray();
    return fill(product.length, i -> product[i] + bias[i % bias.length]);
  }

  private static double[] product(Matrix a, Matrix b) {
    double[] y = new double[a.rows * b.columns];
    for (int i = 0; i < a.rows; i++) {
      for (int j = 0; j < b.columns; j++) {
        double sum = 0;
        for (int k = 0; k < a.columns; k++) {
          sum += a.values[i * a.down + k * a.right] * b.values[k * b.down + j * b.right];
        }
        y[i * b.columns + j] = sum;
      }
    }
    return y;
  }

  /** Elements with the steps from one to the next below it and to the next on its right. */
  private record Matrix(double[] values, int rows, int columns, int down, int right) {
    static Matrix of(Tensor x, boolean transposed) {
      int rows = x.spec().dim(0);
      int columns = x.spec().dim(1);
      return transposed
          ? new Matrix(x.toArray(), columns, rows, 1, columns)
          : new Matrix(x.toArray(), rows, columns, columns, 1);
    }
  }
}
