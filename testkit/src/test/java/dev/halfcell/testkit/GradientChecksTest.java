package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.host.HostFunction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GradientChecksTest {
  private static final HostFunction SINE =
      HostFunction.of(
          "sine", in -> in, in -> List.of(Arrays.stream(in.getFirst()).map(Math::sin).toArray()));

  private static HostFunction withGradientTimes(double factor) {
    return SINE.withGradient(
        (in, _, d) ->
            List.of(
                IntStream.range(0, d.getFirst().length)
                    .mapToDouble(i -> factor * d.getFirst()[i] * Math.cos(in.getFirst()[i]))
                    .toArray()));
  }

  private static UsageException refused(HostFunction function) {
    try (TensorScope scope = TensorScope.open()) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 2), 1, 2);
      return assertThrows(
          UsageException.class,
          () ->
              new ReferenceBackend()
                  .eager(scope)
                  .execute(function, List.of(x), new CellPath("/mine")));
    }
  }

  @Test
  void aHostFunctionIsCheckedInOneLine() {
    assertDoesNotThrow(() -> GradientChecks.check(withGradientTimes(1), 2, 3));
  }

  @Test
  void aWrongGradientOfAHostFunctionIsFound() {
    assertThrows(AssertionError.class, () -> GradientChecks.check(withGradientTimes(-1), 2, 3));
  }

  @Test
  void aCellIsCheckedByItsInputAndParameters() {
    assertDoesNotThrow(
        () -> GradientChecks.check(new Sequential(new Dense(3, 4), new Dropout(0.5)), 2, 3));
    assertDoesNotThrow(() -> GradientChecks.check(new BatchNorm2d(2), Shape.of(3, 2, 2, 2)));
  }

  @Test
  void whatAHostFunctionThrowsIsToldWithOpAndCell() {
    IllegalStateException own = new IllegalStateException("out of luck");
    UsageException e =
        refused(
            HostFunction.of(
                "unlucky",
                in -> in,
                _ -> {
                  throw own;
                }));
    assertEquals("unlucky", e.problem().subject());
    assertEquals("/mine", e.problem().where());
    assertTrue(e.problem().got().contains("out of luck"));
    assertInstanceOf(IllegalStateException.class, e.getCause());
  }

  @Test
  void aHostFunctionHasToDeliverWhatItPromises() {
    UsageException e = refused(HostFunction.of("short", in -> in, _ -> List.of(new double[1])));
    assertTrue(e.problem().expected().contains("2 elements for result 0, fp32[2]"));
    assertEquals("1 elements", e.problem().got());
    refused(HostFunction.of("none", in -> in, _ -> List.of()));
    refused(HostFunction.of("nothing", _ -> List.of(), _ -> List.of()));
  }

  @Test
  void aHostFunctionWithoutAGradientSaysSo() {
    assertThrows(UsageException.class, () -> GradientChecks.check(SINE, 2));
  }
}
