package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccuracyTest {
  @Test
  void countsTheFirstLargestAndNoNan() {
    try (TensorScope scope = TensorScope.open()) {
      Tensor outputs =
          Tensor.of(
              scope,
              TensorSpec.of(DType.FP32, 4, 3),
              0.1,
              0.7,
              0.2, //
              2,
              2,
              1, //
              Double.NaN,
              0,
              0, //
              -3,
              -2,
              -1);
      Tensor labels = Tensor.of(scope, TensorSpec.of(DType.INT64, 4), 1, 0, 0, 0);
      Accuracy accuracy = new Accuracy();
      accuracy.update(outputs, labels);
      assertEquals(0.5, accuracy.value());
    }
  }

  /** One row for each label that is given, all alike. */
  private static double of(Accuracy accuracy, double[] row, double... labels) {
    double[] rows = Arrays.stream(labels).flatMap(_ -> Arrays.stream(row)).toArray();
    try (TensorScope scope = TensorScope.open()) {
      accuracy.update(
          Tensor.of(scope, TensorSpec.of(DType.FP32, labels.length, row.length), rows),
          Tensor.of(scope, TensorSpec.of(DType.INT64, labels.length), labels));
    }
    return accuracy.value();
  }

  private static final double[] ROW = {5, 1, 4, 4, 3};

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "1, 2, 0",
    "2, 2, 1",
    "2, 3, 0",
    "3, 3, 1",
    "3, 4, 0",
    "4, 4, 1",
    "4, 1, 0",
    "5, 1, 1",
    "9, 1, 1",
    "9, 5, 0",
    "9, -1, 0"
  })
  void ofTheLargestOutputsTheFirstOfEqualOnesCountsAsTheLarger(int k, int label, double share) {
    assertEquals(share, of(Accuracy.top(k), ROW, label));
  }

  @Test
  void aNanIsWrongAmongAnyNumberOfOutputs() {
    assertEquals(0, of(Accuracy.top(9), new double[] {1, Double.NaN, 3}, 0, 1, 2));
  }

  @Test
  void theNameSaysHowManyOutputsCount() {
    assertEquals("accuracy", new Accuracy().name());
    assertEquals("accuracy", Accuracy.top(1).name());
    assertEquals("top5_accuracy", Accuracy.top(5).name());
    assertThrows(ArgumentException.class, () -> Accuracy.top(0));
  }

  @Test
  void outputsAndLabelsThatDoNotBelongTogetherAreRefused() {
    try (TensorScope scope = TensorScope.open()) {
      Tensor outputs = scope.allocate(TensorSpec.of(DType.FP32, 2, 3));
      Tensor labels = scope.allocate(TensorSpec.of(DType.INT32, 2));
      Accuracy accuracy = new Accuracy();
      accuracy.update(outputs, labels);
      Tensor fractions = scope.allocate(TensorSpec.of(DType.FP32, 2));
      Tensor three = scope.allocate(TensorSpec.of(DType.INT64, 3));
      assertThrows(UsageException.class, () -> accuracy.update(outputs, fractions));
      assertThrows(UsageException.class, () -> accuracy.update(outputs, three));
      assertThrows(UsageException.class, () -> accuracy.update(labels, labels));
    }
  }
}
