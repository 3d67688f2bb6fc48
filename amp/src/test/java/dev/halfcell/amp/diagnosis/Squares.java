package dev.halfcell.amp.diagnosis;

import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.ReLU;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * A network with one cell that FP16 cannot hold, and data for it: 8 numbers around 300, which are
 * squared. The label says which quarter of them is larger than the others.
 */
final class Squares extends Cell {
  static final CellPath SQUARE = new CellPath("/square");

  private final Cell square = child("square", new Square());
  private final Cell hidden = child("hidden", new Dense(8, 16));
  private final Cell relu = child("relu", new ReLU());
  private final Cell head = child("head", new Dense(16, 4));

  @Override
  protected Tensor construct(Forward f, Tensor... in) {
    return f.call(head, f.call(relu, f.call(hidden, f.call(square, in))));
  }

  /** (x² − 300²) / 300, which is small; x² is not. */
  private static final class Square extends Cell {
    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      Tensor x = f.only(in);
      Tensor squared = f.ops().mul(x, x);
      return f.ops().affine(squared, 1.0 / 300, -300);
    }
  }

  static Batch batch(TensorScope scope, int number, int size) {
    long noise = new RandomKey(3, new CellPath("/data"), number).stream();
    double[] x = new double[size * 8];
    double[] labels = new double[size];
    double[] samples = new double[size];
    for (int n = 0; n < size; n++) {
      labels[n] = n % 4;
      samples[n] = 100.0 * number + n;
      for (int i = 0; i < 8; i++) {
        x[n * 8 + i] = 300 + (i / 2 == n % 4 ? 1 : 0) + RandomKey.uniform(noise, n, i) / 2;
      }
    }
    return new Batch(
        List.of(
            Tensor.of(scope, TensorSpec.of(DType.FP32, size, 8), x),
            Tensor.of(scope, TensorSpec.of(DType.INT64, size), labels)),
        Tensor.of(scope, TensorSpec.of(DType.INT64, size), samples));
  }
}
