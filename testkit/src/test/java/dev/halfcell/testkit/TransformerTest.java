package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.MultiHeadAttention;
import dev.halfcell.nn.PositionalEmbedding;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Recording;
import dev.halfcell.nn.TransformerConfig;
import dev.halfcell.nn.TransformerDecoderLayer;
import dev.halfcell.nn.TransformerEncoderLayer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainState;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cells of transformers: gradients, who sees whom, and what is refused. */
final class TransformerTest {
  private static final TransformerConfig SMALL =
      new TransformerConfig(4, 2, 6, 0.3, true, ReLU::new);
  private static final TransformerConfig SUM_FIRST =
      new TransformerConfig(4, 2, 6, 0, false, ReLU::new);

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor draw(int... dims) {
    return Argument.data(Shape.of(dims), Fill.normals())
        .tensor(scope, DType.FP32, new Generator(dims.length + 31L * dims[1]));
  }

  /** In evaluation. */
  private double[] output(Cell cell, Tensor... in) {
    try (TrainState state = TrainState.of(cell, 5)) {
      Tensor samples = Tensor.of(scope, TensorSpec.of(DType.INT64, 1), 0);
      return new Recording(new ReferenceBackend().eager(scope), state, cell, samples, false)
          .call(cell, in)
          .toArray();
    }
  }

  private Tensor changed(Tensor x, int at) {
    double[] values = x.toArray();
    values[at] += 1;
    return Tensor.of(scope, x.spec(), values);
  }

  @Test
  void gradientsAreThoseOfCentralDifferences() {
    assertDoesNotThrow(
        () -> GradientChecks.check(new MultiHeadAttention(4, 2, true, 0.2), 2, 3, 4));
    Shape two = Shape.of(2, 2, 4);
    Shape three = Shape.of(2, 3, 4);
    assertDoesNotThrow(() -> GradientChecks.check(new MultiHeadAttention(4, 2), two, three, three));
    assertDoesNotThrow(() -> GradientChecks.check(new TransformerEncoderLayer(SMALL), two));
    assertDoesNotThrow(() -> GradientChecks.check(new TransformerEncoderLayer(SUM_FIRST), two));
    assertDoesNotThrow(() -> GradientChecks.check(new TransformerDecoderLayer(SMALL), two, three));
    assertDoesNotThrow(() -> GradientChecks.check(PositionalEmbedding.learned(3, 4), two));
  }

  @Test
  void aMaskedKeyChangesNothing() {
    Tensor x = draw(1, 3, 4);
    Tensor mask = Tensor.of(scope, TensorSpec.of(DType.BOOL, 1, 1, 1, 3), 1, 1, 0);
    Cell layer = new TransformerEncoderLayer(SMALL);
    double[] before = output(layer, x, mask);
    double[] after = output(layer, changed(x, 9), mask);
    assertArrayEquals(Arrays.copyOf(before, 8), Arrays.copyOf(after, 8));
    assertNotEquals(output(layer, x)[0], output(layer, changed(x, 9))[0]);
  }

  @Test
  void aDecoderSeesNoLaterPlaceButAllOfTheEncodersOutput() {
    Tensor x = draw(1, 3, 4);
    Tensor encoded = draw(1, 2, 4);
    Cell layer = new TransformerDecoderLayer(SMALL);
    double[] before = output(layer, x, encoded);
    assertArrayEquals(
        Arrays.copyOf(before, 8), Arrays.copyOf(output(layer, changed(x, 9), encoded), 8));
    assertNotEquals(before[0], output(layer, x, changed(encoded, 7))[0]);
    Tensor mask = Tensor.of(scope, TensorSpec.of(DType.BOOL, 1, 1, 1, 2), 1, 0);
    assertArrayEquals(output(layer, x, encoded, mask), output(layer, x, changed(encoded, 7), mask));
  }

  @Test
  void wavesAreThoseOfThePaper() {
    Tensor zeros = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 2, 4), new double[8]);
    double[] waves = output(PositionalEmbedding.sinusoidal(5, 4), zeros);
    assertArrayEquals(new double[] {0, 1, 0, 1}, Arrays.copyOf(waves, 4));
    assertEquals(Math.sin(1), waves[4], 1e-6);
    assertEquals(Math.cos(0.01), waves[7], 1e-6);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Tensor x = draw(1, 3, 4);
    assertThrows(ArgumentException.class, () -> new MultiHeadAttention(5, 2));
    assertThrows(ArgumentException.class, () -> new TransformerConfig(4, 0, 4));
    assertThrows(ArgumentException.class, () -> PositionalEmbedding.sinusoidal(3, 5));
    for (Cell cell : List.of(new MultiHeadAttention(4, 2), new TransformerDecoderLayer(SMALL))) {
      assertThrows(UsageException.class, () -> output(cell, x, x, x, x, x));
    }
    assertThrows(UsageException.class, () -> output(new MultiHeadAttention(6, 2), x));
    assertThrows(UsageException.class, () -> output(new TransformerEncoderLayer(SMALL), x, x, x));
    assertThrows(ShapeException.class, () -> output(PositionalEmbedding.learned(2, 4), x));
  }
}
