package dev.halfcell.nn;

import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.Shape;

/**
 * How a parameter starts. Pure: each element follows from the stream of the parameter's key and its
 * own index.
 */
public sealed interface Initializer {
  /** Element {@code index} of a parameter of this shape. */
  double value(Shape shape, long stream, long index);

  /** The same number everywhere. */
  record Constant(double value) implements Initializer {
    @Override
    public double value(Shape shape, long stream, long index) {
      return value;
    }
  }

  /** Normally around 0 (Box and Muller, 1958). */
  record Normal(double deviation) implements Initializer {
    @Override
    public double value(Shape shape, long stream, long index) {
      double radius = Math.sqrt(-2 * Math.log(1 - RandomKey.uniform(stream, 0, 2 * index)));
      return deviation
          * radius
          * Math.cos(2 * Math.PI * RandomKey.uniform(stream, 0, 2 * index + 1));
    }
  }

  /** Evenly between −bound and bound. */
  record Uniform(double bound) implements Initializer {
    @Override
    public double value(Shape shape, long stream, long index) {
      return bound * (2 * RandomKey.uniform(stream, 0, index) - 1);
    }
  }

  /**
   * Normally with a deviation of √(2 / fan-in), which keeps the spread of activations through ReLU.
   * Source: He et al., "Delving Deep into Rectifiers", ICCV 2015, section 2.2.
   */
  record HeNormal() implements Initializer {
    @Override
    public double value(Shape shape, long stream, long index) {
      return new Normal(Math.sqrt(2.0 / fanIn(shape))).value(shape, stream, index);
    }
  }

  /** Zeros in one row of the first axis, the others as they would start without it. */
  record ZeroRow(Initializer others, int row) implements Initializer {
    @Override
    public double value(Shape shape, long stream, long index) {
      return index / shape.tail().size() == row ? 0 : others.value(shape, stream, index);
    }
  }

  /** How many inputs one output of a weight [O, I, ...] sees. */
  static long fanIn(Shape weight) {
    return weight.tail().size();
  }
}
