package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LossTest {
  private static final int SAMPLES = 23;
  private static final int CLASSES = 3;

  private final TensorScope scope = TensorScope.open();
  private final double[] outputs =
      new Random(3).doubles(SAMPLES * CLASSES, -4, 4).map(x -> (float) x).toArray();

  @AfterEach
  void close() {
    scope.close();
  }

  private static double label(int sample) {
    return sample % CLASSES;
  }

  /** The loss of batches of this size, the last of which has what is left. */
  private double inBatchesOf(int size, Loss loss) {
    for (int first = 0; first < SAMPLES; first += size) {
      int rows = Math.min(size, SAMPLES - first);
      double[] part =
          IntStream.range(first * CLASSES, (first + rows) * CLASSES)
              .mapToDouble(i -> outputs[i])
              .toArray();
      double[] labels = IntStream.range(first, first + rows).mapToDouble(LossTest::label).toArray();
      loss.update(
          Tensor.of(scope, TensorSpec.of(DType.FP32, rows, CLASSES), part),
          Tensor.of(scope, TensorSpec.of(DType.INT64, rows), labels));
    }
    return loss.value();
  }

  private double expected() {
    double sum = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      double exponentials = 0;
      for (int c = 0; c < CLASSES; c++) {
        exponentials += Math.exp(outputs[sample * CLASSES + c]);
      }
      sum += Math.log(exponentials) - outputs[sample * CLASSES + (int) label(sample)];
    }
    return sum / SAMPLES;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 22, 23})
  void batchesOfAnySizeGiveTheSameBits(int size) {
    double alone = inBatchesOf(1, new Loss(new SoftmaxCrossEntropyLoss()));
    assertEquals(alone, inBatchesOf(size, new Loss(new SoftmaxCrossEntropyLoss())));
    Loss together = new Loss(new SoftmaxCrossEntropyLoss(LossReduction.NONE));
    assertEquals(alone, inBatchesOf(size, together));
    assertEquals(expected(), alone, 1e-6);
  }

  @ParameterizedTest
  @EnumSource(LossReduction.class)
  void theReductionOfTheLossHasNoPartInIt(LossReduction reduction) {
    double mean = inBatchesOf(5, new Loss(new SoftmaxCrossEntropyLoss()));
    assertEquals(mean, inBatchesOf(5, new Loss(new SoftmaxCrossEntropyLoss(reduction))));
  }

  @Test
  void aSampleThatIsIgnoredCountsWithZero() {
    Loss loss = new Loss(new SoftmaxCrossEntropyLoss(0, 2));
    Tensor logits = Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 3), 0, 0, 0, 0, 0, 0);
    loss.update(logits, Tensor.of(scope, TensorSpec.of(DType.INT64, 2), 1, 2));
    assertEquals((float) Math.log(3) / 2, loss.value(), 1e-7);
  }

  @Test
  void elementsOfASampleAreTakenAsItsLossTakesThem() {
    Loss loss = new Loss(new MSELoss());
    Tensor outputs = Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 2), 0, 0, 0, 0);
    loss.update(outputs, Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 2), 1, 3, 0, 2));
    assertEquals((5.0 + 2.0) / 2, loss.value());
  }

  @Test
  void whatIsNotFiniteIsSeen() {
    Loss loss = new Loss(new MSELoss());
    Tensor outputs = Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 1), 1, Double.NaN);
    loss.update(outputs, Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 1), 1, 1));
    assertTrue(Double.isNaN(loss.value()));
  }

  @Test
  void lossesThatAreNoNumberASampleAreRefused() {
    Tensor two = scope.allocate(TensorSpec.of(DType.FP32, 2, 2));
    Tensor labels = scope.allocate(TensorSpec.of(DType.INT64, 2));
    Tensor three = scope.allocate(TensorSpec.of(DType.FP32, 3, 2));
    Loss elements = new Loss(new MSELoss(LossReduction.NONE));
    assertRefused("one number for a sample", () -> elements.update(two, two));
    Cell parameters = new WithLossCell(new Dense(2, 2), new SoftmaxCrossEntropyLoss());
    assertRefused("without parameters", () -> new Loss(parameters).update(two, labels));
    assertRefused("labels of [N, ...]", () -> new Loss(new MSELoss()).update(two, three));
    assertRefused("at least one sample", new Loss(new MSELoss())::value);
  }

  private static void assertRefused(String part, Runnable action) {
    UsageException e = assertThrows(UsageException.class, action::run);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
  }
}
