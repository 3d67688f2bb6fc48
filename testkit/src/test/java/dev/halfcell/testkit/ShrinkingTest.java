package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.linear.Dense;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ShrinkingTest {
  private static final OpCase LARGE =
      OpCase.of(
          new Dense(),
          Argument.data(Shape.of(40, 32), Fill.integers()),
          Argument.data(Shape.of(48, 32), Fill.integers()));

  /** Fails where more than nine features go in. */
  private static Consumer<OpCase> tooWide(List<OpCase> tried) {
    return each -> {
      tried.add(each);
      assertTrue(each.arguments().getFirst().shape().dim(1) <= 9, "too wide");
    };
  }

  @Test
  void theSmallestCaseThatStillFailsIsReportedWithTheSeed() {
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () -> Shrinking.run(LARGE, DType.FP32, tooWide(new ArrayList<>())));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("too wide"), message);
    assertTrue(message.contains("[fp32[40, 32], fp32[48, 32]]"), message);
    assertTrue(message.contains("-Dhalfcell.testkit.seed=" + Generator.seed()), message);
  }

  @Test
  void everyCaseOnTheWayIsOneThatTheOpTakes() {
    List<OpCase> tried = new ArrayList<>();
    assertThrows(AssertionError.class, () -> Shrinking.run(LARGE, DType.FP32, tooWide(tried)));
    tried.forEach(each -> assertEquals(1, each.inferred(DType.FP32).size()));
    OpCase smallest = tried.getLast();
    assertEquals(Shape.of(1, 16), smallest.arguments().getFirst().shape());
    assertEquals(Shape.of(1, 16), smallest.arguments().getLast().shape());
  }

  @Test
  void aCaseThatPassesIsTriedOnce() {
    List<OpCase> tried = new ArrayList<>();
    Shrinking.run(LARGE, DType.FP32, tried::add);
    assertEquals(List.of(LARGE), tried);
  }
}
