package dev.halfcell.op.convolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class Conv2dTransposeTest {
  private static final CellPath AT = new CellPath("/up");

  private static Shape shape(Op op, TensorSpec... in) {
    return op.infer(List.of(in), AT).getFirst().shape();
  }

  private static TensorSpec fp32(int... dims) {
    return TensorSpec.of(DType.FP32, dims);
  }

  /** (size − 1) · stride + dilation · (kernel − 1) + 1 − padding + output padding. */
  @Test
  void sizesAreThoseOfTheConvolutionsInput() {
    Conv2dGeometry geometry = new Conv2dGeometry(2, 3, new Padding2d(1, 2, 0, 1), 2, 1, 2);
    Op op = new Conv2dTranspose(geometry, 1, 2);
    int height = (5 - 1) * 2 + 2 * (3 - 1) + 1 - (1 + 2) + 1;
    int width = (4 - 1) * 3 + (2 - 1) + 1 - (0 + 1) + 2;
    assertEquals(Shape.of(1, 6, height, width), shape(op, fp32(1, 4, 5, 4), fp32(4, 3, 3, 2)));
  }

  @Test
  void anOutputWithoutAPixelIsRefused() {
    Op op = new Conv2dTranspose(Conv2dGeometry.square(1, 1), 0, 0);
    assertEquals(Shape.of(1, 1, 1, 1), shape(op, fp32(1, 1, 1, 1), fp32(1, 1, 3, 3)));
    ShapeException e =
        assertThrows(ShapeException.class, () -> shape(op, fp32(1, 1, 1, 1), fp32(1, 1, 2, 3)));
    assertTrue(e.problem().expected().contains("not 0 x 1"), e.problem().message());
  }
}
