package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/**
 * A network with its loss: (data, label) → loss(network(data), label). The network keeps its paths,
 * so parameters have the same names with and without the loss around it.
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

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    f.expect(2, inputs);
    return f.call(loss, f.call(backbone, inputs[0]), inputs[1]);
  }
}
