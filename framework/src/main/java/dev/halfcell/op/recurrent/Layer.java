package dev.halfcell.op.recurrent;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** The forward pass of a recurrent layer; inputs and outputs stand with its records. */
public sealed interface Layer extends Recurrent permits Lstm, Gru {
  /** How many gates stand below each other in the weights. */
  int gates();

  /** How many states are carried from step to step. */
  int states();

  /**
   * The op of the gradient.
   *
   * @param wide for each leading input whether its gradient leaves unrounded, in FP32
   */
  LayerGradient gradientOp(List<Boolean> wide);

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    return new Rule(this, gates(), states()).outputs(in, at);
  }

  @Override
  default int differentiableOutputs() {
    return new Rule(this, gates(), states()).results();
  }

  @Override
  default long multiplyAdds(List<TensorSpec> in) {
    return Rule.multiplyAdds(in);
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    Rule rule = new Rule(this, gates(), states());
    return b.ops().runAll(gradientOp(rule.wide(b)), rule.gradientInputs(b));
  }
}
