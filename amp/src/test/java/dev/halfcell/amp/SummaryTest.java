package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SummaryTest {
  private static final TensorSpec IMAGES = TensorSpec.of(DType.FP32, 2, 3, 6, 6);

  private static Cell network() {
    return new Sequential(
        new Conv2d(3, 4, 3), new BatchNorm2d(4), new Flatten(), new Dense(64, 10));
  }

  private static Summary.Row row(Level level, int index) {
    return Summary.of(network(), List.of(IMAGES), level).rows().get(index);
  }

  @Test
  void countsAConvolutionByHand() {
    Summary.Row conv = row(Level.O2, 1);
    assertEquals("/0", conv.path().text());
    assertEquals("Conv2d", conv.cell());
    assertEquals(Optional.of(TensorSpec.of(DType.FP16, 2, 4, 4, 4)), conv.output());
    assertEquals(4 * 3 * 3 * 3 + 4, conv.parameters());
    assertEquals(2 * 4 * 4 * 4 * (3 * 3 * 3), conv.multiplyAdds());
    assertEquals(2 * 4 * 4 * 4 * 2, conv.bytes());
  }

  @Test
  void aNormalisationsStatisticsAreNotTrained() {
    Summary.Row norm = row(Level.O2, 2);
    assertEquals(8, norm.parameters());
    assertEquals(8, norm.statistics());
    assertEquals(0, norm.multiplyAdds());
  }

  @Test
  void eachColumnAddsUpWithoutTheContainers() {
    Summary summary = Summary.of(network(), List.of(IMAGES), Level.O0);
    assertEquals(0, summary.rows().getFirst().parameters());
    assertEquals(112 + 8 + 650, summary.parameters());
    assertEquals(2 * 16 * 4 * 27 + 2 * 640, summary.multiplyAdds());
  }

  @Test
  void theLevelDecidesTheDtypeAndTheNetworkItselfLeavesInFp32() {
    assertEquals(DType.FP32, row(Level.O0, 1).output().orElseThrow().dtype());
    assertEquals(DType.FP16, row(Level.O3, 1).output().orElseThrow().dtype());
    assertEquals(DType.FP32, row(Level.O3, 0).output().orElseThrow().dtype());
  }

  @Test
  void inputsThatDoNotFitNameTheCell() {
    List<TensorSpec> grey = List.of(TensorSpec.of(DType.FP32, 2, 1, 6, 6));
    ShapeException e =
        assertThrows(ShapeException.class, () -> Summary.of(network(), grey, Level.O2));
    assertEquals("/0", e.problem().where());
    assertTrue(e.problem().expected().contains("3 input channels"), e.getMessage());
  }

  @Test
  void noInputIsRefused() {
    assertThrows(ArgumentException.class, () -> Summary.of(network(), List.of(), Level.O2));
  }

  @Test
  void aCellThatIsNeverCalledSaysSo() {
    Cell unused =
        new Cell() {
          {
            child("spare", new Dense(2, 2));
          }

          @Override
          protected dev.halfcell.tensor.Tensor construct(
              dev.halfcell.nn.Forward f, dev.halfcell.tensor.Tensor... inputs) {
            return f.only(inputs);
          }
        };
    Summary summary = Summary.of(unused, List.of(IMAGES), Level.O0);
    assertEquals(Optional.empty(), summary.rows().get(1).output());
    assertEquals("not called", summary.cells().get(1).get(2));
  }

  /** A network in its loss stands at one path with it. */
  @Test
  void whatIsWrappedCountsOnce() {
    TensorSpec x = TensorSpec.of(DType.FP32, 5, 4);
    TensorSpec labels = TensorSpec.of(DType.INT64, 5);
    Summary summary =
        Summary.of(
            new WithLossCell(new Dense(4, 3), new SoftmaxCrossEntropyLoss()),
            List.of(x, labels),
            Level.O0);
    assertEquals(5 * 4 * 3, summary.multiplyAdds());
    assertEquals(4 * 3 + 3, summary.parameters());
    assertEquals(
        List.of("Dense", "SoftmaxCrossEntropyLoss"),
        summary.rows().stream().map(Summary.Row::cell).toList());
    assertEquals(5 * 3 * 4 + 4, summary.bytes());
  }
}
