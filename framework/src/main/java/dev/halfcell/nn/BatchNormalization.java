package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Batch normalisation in a cell: what {@link BatchNorm1d} and {@link BatchNorm2d} share. */
abstract sealed class BatchNormalization extends Cell implements NormalizationCell
    permits BatchNorm1d, BatchNorm2d {
  private final BatchNormOptions options;
  private final Parameter gamma;
  private final Parameter beta;
  private final Parameter mean;
  private final Parameter variance;

  BatchNormalization(int channels, BatchNormOptions options) {
    String name = getClass().getSimpleName();
    ArgumentException.require(channels >= 1, name, "at least 1 channel", channels);
    this.options = options;
    gamma = parameter("gamma", new Initializer.Constant(1), channels);
    beta = parameter("beta", new Initializer.Constant(0), channels);
    mean = statistic("mean", new Initializer.Constant(0), channels);
    variance = statistic("variance", new Initializer.Constant(1), channels);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    requireShape(f, x);
    if (!f.training()) {
      return f.ops()
          .run(
              new Normalize(options.epsilon()),
              x,
              f.read(gamma),
              f.read(beta),
              f.read(mean),
              f.read(variance));
    }
    BatchNorm op = new BatchNorm(options.epsilon(), options.stable());
    List<Tensor> out = f.ops().runAll(op, x, f.read(gamma), f.read(beta));
    follow(f, mean, out.get(1), 1);
    follow(f, variance, out.get(2), unbiased(x.shape().size() / x.spec().dim(1)));
    return out.getFirst();
  }

  /** M / (M − 1); of a single element a channel, whose variance is 0, 1. */
  private static double unbiased(long elements) {
    return elements == 1 ? 1 : (double) elements / (elements - 1);
  }

  abstract void requireShape(Forward f, Tensor x);

  private void follow(Forward f, Parameter running, Tensor batch, double factor) {
    f.update(
        running,
        f.ops().run(new RunningAverage(options.momentum(), factor), f.read(running), batch));
  }
}
