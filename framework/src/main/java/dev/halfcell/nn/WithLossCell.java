package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;
import java.util.Arrays;

/**
 * A network with its loss: (data ..., label) → loss(network(data ...), label). The network keeps
 * its paths, so parameters have the same names with and without the loss around it.
 */
public final class WithLossCell extends Cell {
  private final Cell backbone;
  private final Cell loss;

  /** {@code backbone} followed by {@code loss}. */
  public WithLossCell(Cell backbone, Cell loss) {
    this.backbone = wrapped(backbone);
    this.loss = child("loss_fn", loss);
  }

  /** The network without its loss. */
  public Cell backbone() {
    return backbone;
  }

  /** What judges it. */
  public Cell loss() {
    return loss;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    f.expect(Math.max(2, inputs.length), inputs);
    int label = inputs.length - 1;
    return f.call(loss, f.call(backbone, Arrays.copyOf(inputs, label)), inputs[label]);
  }
}
