package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Alignments of more states than a block has threads. */
@Tag("either")
final class GpuAlignmentsTest {
  private static final int FRAMES = 210;
  private static final int LABELS = 80;
  private static final int CLASSES = 6;

  @Test
  void alignmentsOfManyLabelsAreThoseOfTheReference() {
    Random random = new Random(1);
    try (Backend gpu = TestedGpu.open();
        Backend reference = new ReferenceBackend();
        TensorScope scope = TensorScope.open()) {
      double[] logits = random.doubles(2L * FRAMES * CLASSES, -3, 3).toArray();
      double[] labels = random.ints(2L * LABELS, 1, CLASSES).asDoubleStream().toArray();
      List<Tensor> in =
          List.of(
              Tensor.of(scope, TensorSpec.of(DType.FP32, FRAMES, 2, CLASSES), logits),
              Tensor.of(scope, TensorSpec.of(DType.INT32, 2, LABELS), labels),
              Tensor.of(scope, TensorSpec.of(DType.INT32, 2), FRAMES, FRAMES - 7),
              Tensor.of(scope, TensorSpec.of(DType.INT32, 2), LABELS, LABELS - 13));
      CtcLoss op = new CtcLoss(0, LossReduction.NONE, false);
      List<Tensor> want = reference.eager(scope).execute(op, in, CellPath.ROOT);
      List<Tensor> got = gpu.eager(scope).execute(op, in, CellPath.ROOT);
      assertArrayEquals(want.get(0).toArray(), got.get(0).toArray(), 1e-3);
      assertArrayEquals(want.get(1).toArray(), got.get(1).toArray(), 1e-5);
    }
  }
}
