package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma, beta, mean, variance) → y = gamma · (x − mean) / √(variance + epsilon) + beta: batch
 * normalisation with given statistics, for evaluation.
 *
 * <p>Shapes: x and y [N, C, ...], the others [C]. Gradient, the statistics held: dx = gamma · d /
 * √(variance + epsilon), dbeta = Σ d, dgamma = Σ d · n with n the normalised x.
 */
public record Normalize(double epsilon) implements Normalization {
  public Normalize {
    Normalization.requireEpsilon("Normalize", epsilon);
  }

  @Override
  public boolean castable(int input) {
    return input == 0;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Normalization.require(this, in, at, 0, 1, 5);
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    Tensor x = b.ops().cast(b.in(0), d.dtype());
    Tensor zeros = b.ops().run(new ZerosLike(), b.in(3));
    List<Tensor> ofBatch =
        b.ops().runAll(new BatchNormGradient(epsilon), d, x, b.in(1), b.in(3), b.in(4));
    Tensor dx = b.ops().run(this, d, b.in(1), zeros, zeros, b.in(4));
    return List.of(dx, ofBatch.get(1), ofBatch.get(2));
  }
}
