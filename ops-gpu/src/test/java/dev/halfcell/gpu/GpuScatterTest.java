package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums by index of so many look-ups that several blocks sort them. */
@Tag("either")
final class GpuScatterTest {
  @ParameterizedTest
  @CsvSource({"256, 5", "257, 5", "1025, 1", "3000, 37", "1500, 20000"})
  void sumsAreThoseOfTheReference(int lookUps, int size) {
    Random random = new Random(lookUps);
    try (Backend gpu = TestedGpu.open();
        Backend reference = new ReferenceBackend();
        TensorScope scope = TensorScope.open()) {
      double[] integers = random.ints(2L * lookUps, -9, 10).asDoubleStream().toArray();
      double[] rows = random.ints(lookUps, 0, size).asDoubleStream().toArray();
      List<Tensor> in =
          List.of(
              Tensor.of(scope, TensorSpec.of(DType.FP32, lookUps, 2), integers),
              Tensor.of(scope, TensorSpec.of(DType.INT32, lookUps), rows));
      OptionalInt ignored = OptionalInt.of(size / 2);
      for (Op op :
          List.of(
              new ScatterAdd(Shape.of(size, 2), 0, true),
              new CoalesceRows(size, OptionalInt.empty()),
              new CoalesceRows(size, ignored))) {
        List<Tensor> want = reference.eager(scope).execute(op, in, CellPath.ROOT);
        List<Tensor> got = gpu.eager(scope).execute(op, in, CellPath.ROOT);
        for (int i = 0; i < want.size(); i++) {
          assertArrayEquals(want.get(i).toArray(), got.get(i).toArray(), op + ", output " + i);
        }
      }
    }
  }
}
