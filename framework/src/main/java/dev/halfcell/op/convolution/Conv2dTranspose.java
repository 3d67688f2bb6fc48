package dev.halfcell.op.convolution;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * (x, weight[, bias]) → y: each x spread over a window of y through the weight, the windows summed,
 * plus bias[o], rounded once. It is the gradient of {@link Conv2d} by its input, as an op of its
 * own: where that maps y's shape to x's, this maps x's to y's.
 *
 * <p>Shapes: x [N, C, H, W], weight [C, O / groups, kH, kW], bias [O], y [N, O, H', W'] with H' =
 * (H − 1) · stride − top − bottom + dilation · (kH − 1) + 1 + outputPaddingHeight, and the same for
 * the width. Source: Dumoulin and Visin, "A guide to convolution arithmetic for deep learning",
 * 2016, chapter 4.
 *
 * @param geometry that of the convolution whose gradient it is
 * @param outputPaddingHeight rows of y at the bottom, less than the stride, which tell which of the
 *     heights is meant that the convolution maps to H
 * @param outputPaddingWidth the same for the columns on the right
 */
public record Conv2dTranspose(
    Conv2dGeometry geometry, int outputPaddingHeight, int outputPaddingWidth)
    implements Convolution {
  public Conv2dTranspose {
    ArgumentException.require(
        outputPaddingHeight >= 0
            && outputPaddingHeight < geometry.strideHeight()
            && outputPaddingWidth >= 0
            && outputPaddingWidth < geometry.strideWidth(),
        "output padding",
        "at least 0 and less than the stride, "
            + geometry.strideHeight()
            + " x "
            + geometry.strideWidth(),
        outputPaddingHeight + " x " + outputPaddingWidth);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(2, 3)
            .floating(0)
            .dtype(1, in.size(), in.getFirst().dtype());
    must.rank(0, 4, "[N, C, H, W]").rank(1, 4, "[C, O / groups, kH, kW]");
    TensorSpec x = in.get(0);
    TensorSpec weight = in.get(1);
    must.shape(
        x.dim(1) == weight.dim(0) && weight.dim(0) % geometry.groups() == 0,
        weight.dim(0) + " input channels, divided by " + geometry.groups() + " groups",
        "Check the previous cell's output channels.");
    Shape output = output(must, x.shape(), weight.shape());
    must.shape(
        in.size() == 2 || in.get(2).equals(TensorSpec.of(x.dtype(), output.dim(1))),
        "a bias of [" + output.dim(1) + "]",
        "The bias has an element for each output channel.");
    return List.of(x.as(output));
  }

  private Shape output(Requirements must, Shape x, Shape weight) {
    Padding2d padding = geometry.padding();
    long tall = spread(x.dim(2), geometry.strideHeight(), geometry.reachHeight(weight.dim(2)));
    long broad = spread(x.dim(3), geometry.strideWidth(), geometry.reachWidth(weight.dim(3)));
    must.shape(
        tall + outputPaddingHeight <= Integer.MAX_VALUE
            && broad + outputPaddingWidth <= Integer.MAX_VALUE,
        "at most " + Integer.MAX_VALUE + " rows and columns before padding is taken away",
        "Take a smaller stride or dilation.");
    long height = tall + outputPaddingHeight - padding.top() - padding.bottom();
    long width = broad + outputPaddingWidth - padding.left() - padding.right();
    must.shape(
        height >= 1 && width >= 1,
        "an output with at least one pixel, not "
            + height
            + " x "
            + width
            + " (weight "
            + weight
            + ")",
        "Take less padding or a larger kernel.");
    return must.sized(x.dim(0), (long) weight.dim(1) * geometry.groups(), height, width);
  }

  /** The pixels that windows cover which each of {@code inputs} pixels is spread over. */
  private static long spread(int inputs, int stride, long reach) {
    return (inputs - 1L) * stride + reach;
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    TensorSpec x = in.get(0);
    return x.dim(0) * (long) x.dim(2) * x.dim(3) * in.get(1).size();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor weight = b.in(1);
    List<Tensor> gradients = new ArrayList<>();
    DType dtype = b.d(0).dtype();
    gradients.add(b.ops().conv2d(geometry, b.d(0), b.ops().cast(weight, dtype)));
    Conv2dWeightGradient byWeight = new Conv2dWeightGradient(geometry, weight.shape(), b.wide(1));
    gradients.add(b.ops().run(byWeight, b.in(0), b.d()));
    if (b.in().size() == 3) {
      gradients.add(b.ops().sumAllBut(b.d(), 1, b.wide(2)));
    }
    return gradients;
  }
}
