package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import org.junit.jupiter.api.Test;

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
