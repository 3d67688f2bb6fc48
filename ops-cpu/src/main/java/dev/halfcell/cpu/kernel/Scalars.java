package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Elements;

/** Tensors of one element. */
final class Scalars {
  private Scalars() {}

  static double get(Operand operand) {
    return Elements.get(operand.region().data(), operand.dtype(), 0);
  }

  static void set(Operand operand, double value) {
    Elements.set(operand.region().data(), operand.dtype(), 0, value);
  }
}
