package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * Normalises each channel over the batch while training, keeps running statistics of what it saw,
 * and uses these in evaluation.
 *
 * <p>Shapes: x and y [N, channels, H, W]; parameters gamma and beta [channels], statistics mean and
 * variance [channels]. The running variance takes in the unbiased one, M / (M − 1) times the
 * batch's. FP32 inside at every level. Op: {@link BatchNorm}.
 */
public final class BatchNorm2d extends Cell {
  private final double epsilon;
  private final double momentum;
  private final Parameter gamma;
  private final Parameter beta;
  private final Parameter mean;
  private final Parameter variance;

  /** Epsilon 1e-5 and a momentum of 0.9. */
  public BatchNorm2d(int channels) {
    this(channels, 1e-5, 0.9);
  }

  /**
   * A normalisation of {@code channels} channels.
   *
   * @param momentum the share of the running statistics that a step keeps (PyTorch's momentum is
   *     the share it takes in)
   */
  public BatchNorm2d(int channels, double epsilon, double momentum) {
    ArgumentException.require(channels >= 1, "BatchNorm2d", "at least 1 channel", channels);
    ArgumentException.require(epsilon > 0, "BatchNorm2d epsilon", "a number above 0", epsilon);
    ArgumentException.require(
        momentum >= 0 && momentum <= 1, "BatchNorm2d momentum", "0 to 1", momentum);
    this.epsilon = epsilon;
    this.momentum = momentum;
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
    if (!f.training()) {
      return f.ops()
          .run(
              new Normalize(epsilon),
              x,
              f.read(gamma),
              f.read(beta),
              f.read(mean),
              f.read(variance));
    }
    List<Tensor> out = f.ops().runAll(new BatchNorm(epsilon), x, f.read(gamma), f.read(beta));
    double elements = (double) x.shape().size() / x.spec().dim(1);
    follow(f, mean, out.get(1), 1);
    follow(f, variance, out.get(2), elements / Math.max(1, elements - 1));
    return out.getFirst();
  }

  private void follow(Forward f, Parameter running, Tensor batch, double factor) {
    f.update(running, f.ops().run(new RunningAverage(momentum, factor), f.read(running), batch));
  }
}
