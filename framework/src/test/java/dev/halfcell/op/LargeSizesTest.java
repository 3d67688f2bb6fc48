package dev.halfcell.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes whose sums and products do not fit into an int are refused like any others. */
class LargeSizesTest {
  private static final int MOST = Integer.MAX_VALUE;
  private static final int HALF = 1 << 30;
  private static final CellPath AT = new CellPath("/net/cell");

  private static TensorSpec fp32(int... dims) {
    return TensorSpec.of(DType.FP32, dims);
  }

  private static Arguments of(Op op, TensorSpec... in) {
    return Arguments.of(op, List.of(in));
  }

  private static Conv2dGeometry geometry(int stride, Padding2d padding, int dilation) {
    return new Conv2dGeometry(stride, stride, padding, dilation, dilation, 1);
  }

  static Stream<Arguments> tooLarge() {
    TensorSpec image = fp32(1, 1, 3, 3);
    TensorSpec kernel = fp32(1, 1, 5, 5);
    Padding2d wide = Padding2d.of(MOST);
    return Stream.of(
        of(new Conv2d(geometry(1, Padding2d.NONE, HALF)), image, kernel),
        of(new Conv2d(geometry(1, wide, 1)), image, kernel),
        of(new Conv2d(geometry(MOST, wide, 1)), image, kernel),
        of(new Conv2d(geometry(1, Padding2d.of(HALF / 2), 1)), image, kernel),
        of(new Conv2dTranspose(geometry(MOST, Padding2d.NONE, 1), 0, 0), image, kernel),
        of(new Conv2dTranspose(geometry(1, Padding2d.NONE, HALF), 0, 0), image, kernel),
        of(new Conv2dTranspose(geometry(1, wide, MOST), 0, 0), image, kernel),
        of(
            new AvgPool2d(new Window2d(MOST, 1, 1, 1, new Padding2d(MOST - 1, MOST - 1, 0, 0))),
            image),
        of(new AvgPool2d(new AdaptiveWindow2d(1 << 16, 1 << 16)), image),
        of(new Pad(List.of(MOST), List.of(MOST), 0), fp32(1)),
        of(new Pad(List.of(0), List.of(MOST), List.of(0), 0), fp32(3)),
        of(new Pad(List.of(HALF, 3), List.of(0, 0), 0), fp32(1, 1)),
        of(new Concat(0), fp32(HALF), fp32(HALF)),
        of(new Concat(1), fp32(3, HALF / 2), fp32(3, HALF / 2)),
        of(new OneHot(1 << 16, 1, 0, DType.FP32), TensorSpec.of(DType.INT64, 1 << 16)),
        of(new Gather(0), fp32(3, 1 << 16), TensorSpec.of(DType.INT32, 1 << 16)),
        of(new Add(), fp32(1, 1 << 16), fp32(1 << 16, 1)),
        of(new MatMul(false, false, false), fp32(1 << 16, 1), fp32(1, 1 << 16)),
        of(new MatMul(false, false, false), fp32(1 << 16, 1, 1, 1), fp32(1 << 16, 1, 1)),
        of(new Dense(), fp32(1 << 16, 1), fp32(1 << 16, 1)),
        of(
            ScaledDotProductAttention.of(1, false),
            fp32(1, 1, 1 << 16, 1),
            fp32(1, 1, 1, 1),
            fp32(1, 1, 1, 1 << 16)));
  }

  @ParameterizedTest
  @MethodSource("tooLarge")
  void areRefusedByTheOpAtItsPath(Op op, List<TensorSpec> in) {
    ShapeException e = assertThrows(ShapeException.class, () -> op.infer(in, AT));
    assertEquals(op.label(), e.problem().subject());
    assertEquals("/net/cell", e.problem().where());
  }

  @Test
  void aWindowWithMorePlacesThanAnIntCountsIsRefused() {
    assertThrows(ArgumentException.class, () -> Window2d.square(1 << 16, 1, 0));
  }
}
