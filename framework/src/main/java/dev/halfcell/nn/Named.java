package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/**
 * A network under a name, which stands before the paths of its cells: one of several on a common
 * state, as {@code TrainState.of(networks, seed)} makes it. It computes what the network does.
 */
public final class Named extends Cell {
  private final Cell network;

  /** {@code network} at {@code /name}. */
  public Named(String name, Cell network) {
    this.network = child(name, network);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.call(network, inputs);
  }
}
