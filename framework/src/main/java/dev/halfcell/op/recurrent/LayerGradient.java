package dev.halfcell.op.recurrent;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Back-propagation through time; inputs and outputs stand with its records. */
public sealed interface LayerGradient extends Recurrent permits LstmGradient, GruGradient {
  /** For each leading input whether its gradient leaves unrounded, in FP32. */
  List<Boolean> wide();

  /** The forward pass whose gradient this is. */
  Layer of();

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    return new Rule(this, of().gates(), of().states()).gradients(in, wide(), at);
  }

  /**
   * For each product of the forward pass one by the weight and one by what it was multiplied with.
   */
  @Override
  default long multiplyAdds(List<TensorSpec> in) {
    int before = new Rule(this, of().gates(), of().states()).before();
    return 2 * of().multiplyAdds(in.subList(before, in.size()));
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
