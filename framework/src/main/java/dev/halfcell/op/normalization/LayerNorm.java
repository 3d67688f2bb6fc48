package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma, beta) → y = gamma · (x − mean) · rstd + beta, mean, rstd; mean and rstd = 1 /
 * √(variance + epsilon) over the trailing axes, those that gamma has; the variance is the biased
 * one.
 *
 * <p>Shapes: x and y [..., F], gamma and beta [F], mean and rstd [...]; F is one axis or more.
 * Dtypes: y like x, the others FP32 at least. Gradient: {@link LayerNormGradient}. Source: Ba,
 * Kiros and Hinton, "Layer Normalization", 2016, equation 4.
 */
public record LayerNorm(double epsilon) implements GroupwiseNormalization {
  public LayerNorm {
    Normalization.requireEpsilon("LayerNorm", epsilon);
  }

  @Override
  public Groups groups(List<TensorSpec> in) {
    return Groups.trailing(in.get(0), in.get(1).shape());
  }

  @Override
  public boolean centered() {
    return true;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(3);
    TensorSpec statistics = requireTrailing(must, in, 0);
    must.shape(in.get(2).equals(in.get(1)), "beta like gamma", "Both have an element a feature.");
    return List.of(in.getFirst(), statistics, statistics);
  }

  /** Demands a gamma behind {@code x} that has its trailing axes. Returns the statistics' spec. */
  static TensorSpec requireTrailing(Requirements must, List<TensorSpec> in, int x) {
    TensorSpec data = in.get(x);
    must.floating(x).dtype(x + 1, x + 2, data.dtype().wide());
    Shape features = in.get(x + 1).shape();
    int leading = data.rank() - features.rank();
    must.shape(
        features.rank() >= 1
            && leading >= 0
            && data.shape().dims().subList(leading, data.rank()).equals(features.dims()),
        "x of [..., F] and gamma of [F]",
        "The cell has to be made for the trailing axes of x.");
    return new TensorSpec(data.dtype().wide(), new Shape(data.shape().dims().subList(0, leading)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    Tensor x = b.ops().cast(b.in(0), d.dtype());
    return b.ops().runAll(new LayerNormGradient(), d, x, b.in(1), b.out(1), b.out(2));
  }
}
