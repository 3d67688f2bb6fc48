package dev.halfcell.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataFingerprintTest {
  /** Numbers that grow by {@code step}. */
  private record Numbers(String name, int size, int classes, double step) implements DataSet {
    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 2), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      Elements.set(batch.get(0).data(), DType.FP32, 2L * row, index * step);
      Elements.set(batch.get(1).data(), DType.INT64, row, index % classes);
    }
  }

  private static String of(String name, int size, int classes, double step) {
    return DataFingerprint.of(new Numbers(name, size, classes, step));
  }

  @Test
  void isTheSameForTheSameDataUnderAnotherName() {
    assertEquals(of("a", 5000, 3, 0.5), of("b", 5000, 3, 0.5));
    assertTrue(of("a", 1, 1, 1).matches("[0-9a-f]{64}"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2500, 4998, 4999})
  void findsASingleSampleThatWasChanged(int which) {
    Numbers data = new Numbers("a", 5000, 3, 0.5);
    SampleChange one =
        (batch, row, number) -> {
          if (number == which) {
            Elements.set(batch.getFirst().data(), DType.FP32, 2L * row + 1, 1e-9);
          }
        };
    assertEquals(
        DataFingerprint.of(data),
        DataFingerprint.of(new ChangedDataSet(data, SampleChange.none())));
    assertNotEquals(DataFingerprint.of(data), DataFingerprint.of(new ChangedDataSet(data, one)));
  }

  @Test
  void isAnotherForAnotherSizeContentOrNumberOfClasses() {
    String one = of("a", 5000, 3, 0.5);
    assertNotEquals(one, of("a", 4999, 3, 0.5));
    assertNotEquals(one, of("a", 5000, 4, 0.5));
    assertNotEquals(one, of("a", 5000, 3, 0.25));
  }
}
