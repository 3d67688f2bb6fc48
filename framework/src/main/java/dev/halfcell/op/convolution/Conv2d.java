package dev.halfcell.op.convolution;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * y[n, o, i, j] = bias[o] + Σ over c, k, l of x[n, c, i · stride + k · dilation − top, j · stride +
 * l · dilation − left] · weight[o, c, k, l], rounded once; the bias may be left out.
 *
 * <p>Shapes: x [N, C, H, W], weight [O, C / groups, kH, kW], bias [O], y [N, O, H', W'] as {@link
 * Conv2dGeometry} says.
 */
public record Conv2d(Conv2dGeometry geometry) implements Convolution {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at)
            .count(2, 3)
            .floating(0)
            .dtype(1, in.size(), in.getFirst().dtype());
    must.rank(0, 4, "[N, C, H, W]").rank(1, 4, "[O, C / groups, kH, kW]");
    TensorSpec x = in.get(0);
    TensorSpec weight = in.get(1);
    must.shape(
        x.dim(1) == weight.dim(1) * geometry.groups() && weight.dim(0) % geometry.groups() == 0,
        weight.dim(1) * geometry.groups() + " input channels (weight " + weight.shape() + ")",
        "Check the previous cell's output channels.");
    must.shape(
        in.size() == 2 || in.get(2).equals(TensorSpec.of(x.dtype(), weight.dim(0))),
        "a bias of [" + weight.dim(0) + "]",
        "The bias has an element for each output channel.");
    must.shape(
        geometry.padding().countableAround(x.dim(2), x.dim(3)),
        "a padded image of at most " + Integer.MAX_VALUE + " rows and columns",
        "Take less padding.");
    int height = geometry.outputHeight(x.dim(2), weight.dim(2));
    int width = geometry.outputWidth(x.dim(3), weight.dim(3));
    must.shape(
        height >= 1 && width >= 1,
        "an image at least as large as the dilated kernel (weight " + weight.shape() + ")",
        "Pad the image or take a smaller kernel.");
    return List.of(x.as(must.sized(x.dim(0), weight.dim(0), height, width)));
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    TensorSpec x = in.get(0);
    TensorSpec weight = in.get(1);
    long places =
        (long) geometry.outputHeight(x.dim(2), weight.dim(2))
            * geometry.outputWidth(x.dim(3), weight.dim(3));
    return x.dim(0) * places * weight.size();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor x = b.in(0);
    Tensor weight = b.in(1);
    List<Tensor> gradients = new ArrayList<>();
    DType dtype = b.d(0).dtype();
    gradients.add(
        b.ops()
            .run(
                new Conv2dInputGradient(geometry, x.shape()), b.d(0), b.ops().cast(weight, dtype)));
    gradients.add(
        b.ops().run(new Conv2dWeightGradient(geometry, weight.shape(), b.wide(1)), b.d(), x));
    if (b.in().size() == 3) {
      gradients.add(b.ops().sumAllBut(b.d(), 1, b.wide(2)));
    }
    return gradients;
  }
}
