package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;

/** Tensors of one element, or of few. */
final class Scalars {
  private Scalars() {}

  static double get(Operand operand) {
    return get(operand, 0);
  }

  static double get(Operand operand, int index) {
    return Elements.get(operand.region().data(), operand.dtype(), index);
  }

  static double[] all(Operand operand) {
    return Tensor.over(operand.spec(), operand.region().data()).toArray();
  }

  static void set(Operand operand, double value) {
    Elements.set(operand.region().data(), operand.dtype(), 0, value);
  }

  static void setAll(Operand operand, double[] values) {
    for (int i = 0; i < values.length; i++) {
      Elements.set(operand.region().data(), operand.dtype(), i, values[i]);
    }
  }

  /** In their order. */
  static double sum(double[] parts) {
    double sum = 0;
    for (double part : parts) {
      sum += part;
    }
    return sum;
  }
}
