package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.Size2d;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shapes of the cells over convolutions, poolings and batch normalisations. */
class ConvolutionCellsTest {
  private static final ConvolutionOptions DEFAULTS = ConvolutionOptions.defaults();
  private static final ConvolutionOptions SAME = DEFAULTS.padding(PaddingMode.SAME);

  private static Shape shape(Cell net, int... input) {
    try (TrainState state = TrainState.of(net, 1)) {
      TracingExecutor tracing = new TracingExecutor(state);
      var x = tracing.input(TensorSpec.of(DType.FP32, input));
      var samples = tracing.input(TensorSpec.of(DType.INT64, input[0]));
      return new Recording(tracing, tracing, net, samples, true).call(net, x).shape();
    }
  }

  /** TensorFlow's rule: with stride 2, three pixels of kernel over an even side pad below alone. */
  @Test
  void paddingSameFollowsTheInput() {
    PaddingMode.Walk even = new PaddingMode.Walk(8, 3, 2, 1);
    PaddingMode.Walk odd = new PaddingMode.Walk(7, 3, 2, 1);
    PaddingMode.Walk dilated = new PaddingMode.Walk(7, 3, 1, 2);
    assertEquals(new Padding2d(0, 1, 1, 1), PaddingMode.SAME.resolve(even, odd));
    assertEquals(new Padding2d(2, 2, 1, 1), PaddingMode.SAME.resolve(dilated, odd));
    assertEquals(Padding2d.NONE, PaddingMode.VALID.resolve(even, odd));
    assertEquals(
        Padding2d.NONE,
        PaddingMode.SAME.resolve(
            new PaddingMode.Walk(9, 1, 3, 1), new PaddingMode.Walk(9, 1, 3, 1)));
  }

  @Test
  void convolutionsPadAsAsked() {
    assertEquals(Shape.of(2, 8, 5, 4), shape(new Conv2d(3, 8, 4, SAME.stride(2)), 2, 3, 9, 8));
    assertEquals(Shape.of(2, 8, 3, 3), shape(new Conv2d(3, 8, 4, DEFAULTS.stride(2)), 2, 3, 9, 8));
    assertEquals(Shape.of(2, 8, 9, 8), shape(new Conv2d(3, 8, 3, DEFAULTS.padding(1)), 2, 3, 9, 8));
    assertEquals(Shape.of(2, 6, 7, 6), shape(new Conv2d(6, 6, 3, DEFAULTS.groups(6)), 2, 6, 9, 8));
  }

  @Test
  void kernelsStridesAndDilationsNeedNotBeSquare() {
    ConvolutionOptions oblong = DEFAULTS.stride(new Size2d(2, 1)).dilation(new Size2d(1, 3));
    Cell cell = new Conv2d(3, 8, new Size2d(1, 2), oblong);
    assertEquals(Shape.of(2, 8, 5, 5), shape(cell, 2, 3, 9, 8));
    assertEquals(Shape.of(8, 3, 1, 2), cell.parameters().getFirst().spec().shape());
    ConvolutionOptions same = oblong.padding(PaddingMode.SAME);
    assertEquals(Shape.of(2, 8, 5, 8), shape(new Conv2d(3, 8, new Size2d(3, 2), same), 2, 3, 9, 8));
    assertEquals(
        Shape.of(2, 8, 18, 8),
        shape(new Conv2dTranspose(3, 8, new Size2d(1, 2), same, 0), 2, 3, 9, 8));
  }

  @Test
  void linesAreConvolvedAndPooledAlongTheirLength() {
    assertEquals(Shape.of(2, 8, 5), shape(new Conv1d(3, 8, 4, SAME.stride(2)), 2, 3, 9));
    assertEquals(Shape.of(2, 8, 5), shape(new Conv1d(3, 8, 3, DEFAULTS.dilation(2)), 2, 3, 9));
    assertEquals(Shape.of(2, 8, 11), shape(new Conv1d(3, 8, 3, DEFAULTS.padding(2)), 2, 3, 9));
    assertEquals(Shape.of(2, 3, 4), shape(new MaxPool1d(2), 2, 3, 9));
    assertEquals(Shape.of(2, 3, 5), shape(new AvgPool1d(3, 2, 1), 2, 3, 9));
    assertThrows(ShapeException.class, () -> shape(new Conv1d(3, 8, 3), 2, 3, 9, 9));
  }

  @Test
  void transposedConvolutionsEnlarge() {
    Cell plain = new Conv2dTranspose(3, 8, 3, DEFAULTS.stride(2).padding(1), 1);
    assertEquals(Shape.of(2, 8, 10, 8), shape(plain, 2, 3, 5, 4));
    for (int kernel = 1; kernel <= 5; kernel++) {
      Cell same = new Conv2dTranspose(3, 8, kernel, SAME.stride(3), 0);
      assertEquals(Shape.of(2, 8, 15, 12), shape(same, 2, 3, 5, 4), "kernel " + kernel);
    }
    assertThrows(
        ArgumentException.class, () -> new Conv2dTranspose(3, 8, 3, DEFAULTS.stride(2), 2));
  }

  @Test
  void poolingsYieldTheSizeThatIsAskedFor() {
    assertEquals(Shape.of(2, 3), shape(new GlobalAvgPool2d(), 2, 3, 9, 8));
    assertEquals(Shape.of(2, 3), shape(new GlobalMaxPool2d(), 2, 3, 9, 8));
    assertEquals(Shape.of(2, 3, 4, 5), shape(new AdaptiveAvgPool2d(4, 5), 2, 3, 9, 8));
    assertEquals(Shape.of(2, 3, 4, 5), shape(new AdaptiveMaxPool2d(4, 5), 2, 3, 3, 3));
  }

  @Test
  void normalisationsAndResidualsKeepTheShape() {
    assertEquals(Shape.of(4, 3), shape(new BatchNorm1d(3), 4, 3));
    assertEquals(Shape.of(4, 3, 7), shape(new BatchNorm1d(3), 4, 3, 7));
    assertThrows(ShapeException.class, () -> shape(new BatchNorm1d(3), 4, 3, 7, 7));
    assertThrows(ShapeException.class, () -> shape(new BatchNorm2d(3), 4, 3, 7));
    Cell residual = new Residual(new Conv2d(3, 5, 3, SAME), new Conv2d(3, 5, 1));
    assertEquals(Shape.of(2, 5, 9, 8), shape(residual, 2, 3, 9, 8));
    assertEquals(List.of("branch", "shortcut"), List.copyOf(residual.children().keySet()));
  }

  /** Broadcasting would make a larger result of them. */
  @Test
  void partsThatDoNotFitAreNotRepeated() {
    ShapeException slopes = assertThrows(ShapeException.class, () -> shape(new PReLU(5), 2, 1, 3));
    assertEquals("PReLU", slopes.problem().subject());
    assertThrows(ShapeException.class, () -> shape(new PReLU(5), 5));
    assertEquals(Shape.of(2, 5, 3), shape(new PReLU(5), 2, 5, 3));
    assertEquals(Shape.of(5), shape(new PReLU(), 5));
    Cell narrow = new Residual(new Conv2d(3, 1, 1));
    ShapeException branch = assertThrows(ShapeException.class, () -> shape(narrow, 2, 3, 4, 4));
    assertEquals("Residual", branch.problem().subject());
    assertEquals("/", branch.problem().where());
  }

  @Test
  void aShapeThatDoesNotFitIsToldWithTheCellsName() {
    ShapeException e = assertThrows(ShapeException.class, () -> shape(new Conv2d(3, 1, 1), 2, 3));
    assertEquals("Conv2d", e.problem().subject());
  }
}
