package dev.halfcell.op;

import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a gradient rule sees of the op that was recorded.
 *
 * @param ops where the rule computes: below the precision plan and the tape
 * @param op the recorded op
 * @param in its inputs
 * @param out its outputs
 * @param gradients the gradient of each output; empty where the loss does not depend on it
 * @param parameters whether a tensor is a parameter or a cast of one
 */
public record Backward(
    Ops ops,
    Op op,
    List<Tensor> in,
    List<Tensor> out,
    List<Optional<Tensor>> gradients,
    Predicate<Tensor> parameters) {
  /** Input {@code index}. */
  public Tensor in(int index) {
    return in.get(index);
  }

  /** Output {@code index}. */
  public Tensor out(int index) {
    return out.get(index);
  }

  /**
   * Whether input {@code index} is a parameter or a cast of one: then its gradient leaves the
   * kernel in FP32.
   */
  public boolean wide(int index) {
    return parameters.test(in.get(index));
  }

  /** The gradient of the first output. */
  public Tensor d() {
    return dOut(0);
  }

  /** The gradient of output {@code index}: zeros where the loss does not depend on it. */
  public Tensor dOut(int index) {
    return gradients.get(index).orElseGet(() -> ops.run(new ZerosLike(), out(index)));
  }

  /**
   * The gradient of the first output, widened where input {@code index} is a parameter: for rules
   * with no wide form.
   */
  public Tensor d(int index) {
    return wide(index) ? ops.cast(d(), d().dtype().wide()) : d();
  }

  /** What an op throws that has no gradient. */
  public UsageException none() {
    return new UsageException(
        new Problem(
            op.label(),
            ops.at().text(),
            "an op that has a gradient",
            "one that has none",
            "Keep it out of what the loss depends on."));
  }
}
