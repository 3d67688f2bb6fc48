package dev.halfcell.testkit;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.function.UnaryOperator;

/**
 * One input of an op under test.
 *
 * @param dtype from the dtype under test to this input's
 * @param shape its shape
 * @param fill its elements
 */
public record Argument(UnaryOperator<DType> dtype, Shape shape, Fill fill) {
  /** In the dtype under test. */
  public static Argument data(Shape shape, Fill fill) {
    return new Argument(UnaryOperator.identity(), shape, fill);
  }

  /** In what statistics of the dtype under test are kept in. */
  public static Argument wide(Shape shape, Fill fill) {
    return new Argument(DType::wide, shape, fill);
  }

  /** In the same dtype always. */
  public static Argument fixed(DType dtype, Shape shape, Fill fill) {
    return new Argument(_ -> dtype, shape, fill);
  }

  /** The same in another shape. */
  Argument with(Shape other) {
    return new Argument(dtype, other, fill);
  }

  /** The spec of this input, where {@code tested} is the dtype under test. */
  public TensorSpec spec(DType tested) {
    return new TensorSpec(dtype.apply(tested), shape);
  }

  /** A value for this input. */
  public Tensor tensor(TensorScope scope, DType tested, Generator generator) {
    TensorSpec spec = spec(tested);
    return Tensor.of(scope, spec, fill.values(generator, Math.toIntExact(spec.size())));
  }
}
