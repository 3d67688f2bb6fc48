package dev.halfcell.train.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CensusTest {
  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor tensor(DType dtype, double... values) {
    return Tensor.of(scope, TensorSpec.of(dtype, values.length), values);
  }

  @Test
  void oneOfManyIsNotNone() {
    Census one = new Census(10_000, 1, 0, 1, 0, -1, 1);
    assertEquals(
        "Inf: under 0.1 % not finite, under 0.1 % zeros, 0.0 % subnormal,"
            + " the finite from -1.000 to 1.000",
        one.text());
  }

  @Test
  void countsEachKindOfValueAndTheRangeOfTheFinite() {
    double inf = Double.POSITIVE_INFINITY;
    Census census = Census.of(tensor(DType.FP16, 0, -0.0, 0x1p-15, 5, -7, inf, -inf, Double.NaN));
    assertEquals(new Census(8, 2, 1, 2, 1, -7, 5), census);
    assertEquals(Census.Kind.NAN, census.kind());
    assertEquals(3.0 / 8, census.nonFiniteShare());
    assertEquals(2.0 / 8, census.zeroShare());
    assertEquals(1.0 / 8, census.subnormalShare());
    assertEquals(
        "NaN: 37.5 % not finite, 25.0 % zeros, 12.5 % subnormal, the finite from -7.000 to 5.000",
        census.text());
  }

  @ParameterizedTest
  @CsvSource({
    "FP16, 0x1p-14, 0x1.ff8p-15",
    "BF16, 0x1p-126, 0x1p-127",
    "FP32, 0x1p-126, 0x1p-127",
    "FP64, 0x1p-1022, 0x1p-1023"
  })
  void subnormalIsWhatTheDtypeHoldsWithFewerBits(DType dtype, double normal, double subnormal) {
    assertEquals(0, Census.of(tensor(dtype, normal, -normal)).subnormals());
    assertEquals(2, Census.of(tensor(dtype, subnormal, -subnormal)).subnormals());
  }

  @Test
  void wholeNumbersAreFinite() {
    Census census = Census.of(tensor(DType.INT64, 0, 1, -3));
    assertEquals(new Census(3, 1, 0, 0, 0, -3, 1), census);
  }

  @Test
  void theWorstKindOfSeveralTensorsCounts() {
    Tensor finite = tensor(DType.FP32, 1);
    Tensor infinite = tensor(DType.FP32, 1, Double.NEGATIVE_INFINITY);
    Tensor nan = tensor(DType.FP32, Double.NaN);
    assertEquals(Census.Kind.FINITE, Census.worst(List.of()));
    assertEquals(Census.Kind.FINITE, Census.worst(List.of(finite)));
    assertEquals(Census.Kind.INFINITE, Census.worst(List.of(infinite, finite)));
    assertEquals(Census.Kind.NAN, Census.worst(List.of(infinite, nan, finite)));
  }

  @Test
  void ofNothingFiniteTheRangeIsNotANumber() {
    Census census = Census.of(tensor(DType.FP32, Double.NaN));
    assertTrue(Double.isNaN(census.min()) && Double.isNaN(census.max()));
    assertEquals(
        "NaN: 100.0 % not finite, 0.0 % zeros, 0.0 % subnormal, none finite", census.text());
  }
}
