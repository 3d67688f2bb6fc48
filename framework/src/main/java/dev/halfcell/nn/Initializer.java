package dev.halfcell.nn;

import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import java.util.function.LongToDoubleFunction;

/**
 * How a parameter starts. Pure: the elements follow from the stream of the parameter's key, its
 * shape and their own index alone.
 */
public sealed interface Initializer {
  /** From an element's index to its value, for a parameter of this shape. */
  LongToDoubleFunction values(Shape shape, long stream);

  /** The same number everywhere. */
  record Constant(double value) implements Initializer {
    public Constant {
      requireFinite("Constant value", value);
    }

    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return _ -> value;
    }
  }

  /** Evenly between −bound and bound. */
  record Uniform(double bound) implements Initializer {
    public Uniform {
      requireSpread("Uniform bound", bound);
    }

    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return index -> bound * (2 * RandomKey.uniform(stream, 0, index) - 1);
    }
  }

  /** Normally around 0. */
  record Normal(double deviation) implements Initializer {
    public Normal {
      requireSpread("Normal deviation", deviation);
    }

    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return index -> deviation * normal(stream, 0, index);
    }
  }

  /**
   * Normally around 0, drawn again where further away than twice the deviation. What is left
   * spreads by 0.88 of the deviation. As MindSpore's {@code TruncatedNormal}.
   */
  record TruncatedNormal(double deviation) implements Initializer {
    public TruncatedNormal {
      requireSpread("TruncatedNormal deviation", deviation);
    }

    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return index -> {
        long attempt = 0;
        double drawn = normal(stream, attempt, index);
        while (Math.abs(drawn) > 2) {
          drawn = normal(stream, ++attempt, index);
        }
        return deviation * drawn;
      };
    }
  }

  /**
   * Evenly with a bound of √(6 / (fan-in + fan-out)), which keeps the spread of activations and of
   * gradients through tanh. Source: Glorot and Bengio, "Understanding the difficulty of training
   * deep feedforward neural networks", AISTATS 2010, equation 16.
   */
  record XavierUniform() implements Initializer {
    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return new Uniform(Math.sqrt(6.0 / (fanIn(shape) + fanOut(shape)))).values(shape, stream);
    }
  }

  /** Normally with a deviation of √(2 / (fan-in + fan-out)), as {@link XavierUniform} spreads. */
  record XavierNormal() implements Initializer {
    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return new Normal(Math.sqrt(2.0 / (fanIn(shape) + fanOut(shape)))).values(shape, stream);
    }
  }

  /** Evenly with a bound of √(6 / fan-in), as {@link HeNormal} spreads. */
  record HeUniform() implements Initializer {
    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return new Uniform(Math.sqrt(6.0 / fanIn(shape))).values(shape, stream);
    }
  }

  /**
   * Normally with a deviation of √(2 / fan-in), which keeps the spread of activations through ReLU.
   * Source: He et al., "Delving Deep into Rectifiers", ICCV 2015, section 2.2.
   */
  record HeNormal() implements Initializer {
    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      return new Normal(Math.sqrt(2.0 / fanIn(shape))).values(shape, stream);
    }
  }

  /**
   * A weight [O, I, ...] as a matrix of O rows with rows of length {@code gain} at right angles to
   * each other, or columns where there are fewer of those; evenly among all such matrices. Source:
   * Saxe, McClelland and Ganguli, "Exact solutions to the nonlinear dynamics of learning in deep
   * linear neural networks", ICLR 2014, section 3.
   */
  record Orthogonal(double gain) implements Initializer {
    public Orthogonal {
      requireFinite("Orthogonal gain", gain);
    }

    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      int columns = Math.toIntExact(fanIn(shape));
      int rows = shape.dim(0);
      boolean wide = rows <= columns;
      OrthonormalVectors vectors =
          OrthonormalVectors.draw(
              Math.min(rows, columns), Math.max(rows, columns), index -> normal(stream, 0, index));
      return index -> {
        int row = (int) (index / columns);
        int column = (int) (index % columns);
        return gain * (wide ? vectors.at(row, column) : vectors.at(column, row));
      };
    }
  }

  /** Zeros in one row of the first axis, the others as they would start without it. */
  record ZeroRow(Initializer others, int row) implements Initializer {
    public ZeroRow {
      ArgumentException.require(row >= 0, "ZeroRow", "a row, counted from 0", row);
    }

    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      ArgumentException.require(
          shape.rank() >= 1 && row < shape.dim(0), "ZeroRow", "a row of " + shape, row);
      LongToDoubleFunction other = others.values(shape, stream);
      long each = shape.tail().size();
      return index -> index / each == row ? 0 : other.applyAsDouble(index);
    }
  }

  /** A number from the normal distribution of mean 0 and deviation 1 (Box and Muller, 1958). */
  private static double normal(long stream, long attempt, long index) {
    double radius = Math.sqrt(-2 * Math.log(1 - RandomKey.uniform(stream, attempt, 2 * index)));
    return radius * Math.cos(2 * Math.PI * RandomKey.uniform(stream, attempt, 2 * index + 1));
  }

  /**
   * Sines and cosines over the places [length, features], in pairs of features whose frequency
   * falls from 1 to nearly 1 / 10000. Source: Vaswani et al., "Attention Is All You Need", NeurIPS
   * 2017, section 3.5.
   */
  record Waves() implements Initializer {
    @Override
    public LongToDoubleFunction values(Shape shape, long stream) {
      int features = shape.dim(1);
      return index -> {
        long feature = index % features;
        double slower = Math.pow(10_000, (feature - feature % 2) / (double) features);
        long position = index / features;
        double angle = position / slower;
        return feature % 2 == 0 ? Math.sin(angle) : Math.cos(angle);
      };
    }
  }

  private static void requireFinite(String what, double value) {
    ArgumentException.require(Double.isFinite(value), what, "a finite number", value);
  }

  private static void requireSpread(String what, double value) {
    ArgumentException.require(
        value >= 0 && Double.isFinite(value), what, "a finite number, at least 0", value);
  }

  /** How many inputs one output of a weight [O, I, ...] sees. */
  static long fanIn(Shape weight) {
    return requireWeight(weight).tail().size();
  }

  /** How many outputs one input of a weight [O, I, ...] reaches. */
  static long fanOut(Shape weight) {
    return requireWeight(weight).dim(0) * weight.tail().tail().size();
  }

  private static Shape requireWeight(Shape shape) {
    ArgumentException.require(
        shape.rank() >= 2,
        "Initializer",
        "a weight of [O, I] or [O, I, ...], since the spread follows from its inputs and outputs",
        shape);
    return shape;
  }
}
