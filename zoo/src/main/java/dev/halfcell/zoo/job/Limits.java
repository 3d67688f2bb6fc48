package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import java.util.Arrays;
import java.util.List;

/** How large what is asked for may be: more is a mistake, or an attack. */
final class Limits {
  /** The largest dimension of a tensor. */
  static final int DIMENSION = 1 << 20;

  /** The most cells of a network, those inside others included. */
  static final int CELLS = 256;

  private Limits() {}

  /** Throws where a parameter of this shape has more elements than an index counts. */
  static void requireElements(String cell, int... shape) {
    long elements = 1;
    for (int dimension : shape) {
      elements *= Math.max(1, dimension);
      if (elements > Integer.MAX_VALUE) {
        throw new ArgumentException(
            cell,
            "a weight of at most " + Integer.MAX_VALUE + " numbers",
            "more: " + Arrays.toString(shape));
      }
    }
  }

  /** The numbers as a shape. */
  static int[] shape(String cell, List<Integer> sizes) {
    int[] shape = sizes.stream().mapToInt(Integer::intValue).toArray();
    for (int size : shape) {
      ArgumentException.require(
          size >= 1 && size <= DIMENSION, cell, "sizes from 1 to " + DIMENSION, sizes);
    }
    requireElements(cell, shape);
    return shape;
  }
}
