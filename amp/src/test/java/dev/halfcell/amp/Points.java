package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A small problem for tests: 6x6 images with a bright quarter, whose number is the label, and a
 * network for it.
 */
final class Points {
  private Points() {}

  /**
   * Convolution, normalisation, ReLU, pooling, dropout, a residual dense layer and a dense layer.
   */
  static Cell network() {
    return new Sequential(
        new Conv2d(1, 4, 3),
        new BatchNorm2d(4),
        new ReLU(),
        new MaxPool2d(2),
        new Flatten(),
        new Dropout(0.25),
        new Residual(new Dense(16, 16)),
        new Dense(16, 4));
  }

  /** x + body(x). */
  static final class Residual extends Cell {
    private final Cell body;

    Residual(Cell body) {
      this.body = child("body", body);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().add(f.only(in), f.call(body, in));
    }
  }

  static Batch batch(TensorScope scope, int number, int size) {
    long noise = new RandomKey(3, new CellPath("/data"), number).stream();
    double[] x = new double[size * 36];
    double[] labels = new double[size];
    double[] samples = new double[size];
    for (int n = 0; n < size; n++) {
      labels[n] = n % 4;
      samples[n] = 100.0 * number + n;
      for (int i = 0; i < 36; i++) {
        int quarter = i / 18 * 2 + i % 6 / 3;
        x[n * 36 + i] = (quarter == labels[n] ? 2 : 0) + RandomKey.uniform(noise, n, i) - 0.5;
      }
    }
    return new Batch(
        List.of(
            Tensor.of(scope, TensorSpec.of(DType.FP32, size, 1, 6, 6), x),
            Tensor.of(scope, TensorSpec.of(DType.INT64, size), labels)),
        Tensor.of(scope, TensorSpec.of(DType.INT64, size), samples));
  }

  static boolean sameBits(Map<Variable, Tensor> a, Map<Variable, Tensor> b) {
    return moved(a, b).isEmpty();
  }

  /** The variables that are not the same bits in both. */
  static Set<Variable> moved(Map<Variable, Tensor> a, Map<Variable, Tensor> b) {
    assertEquals(a.keySet(), b.keySet());
    Set<Variable> moved = new HashSet<>();
    a.forEach(
        (variable, value) -> {
          if (!value.sameBits(Objects.requireNonNull(b.get(variable)))) {
            moved.add(variable);
          }
        });
    return moved;
  }
}
