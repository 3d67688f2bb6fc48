package dev.halfcell.testkit;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * An op with inputs to try it on.
 *
 * @param op the op
 * @param arguments its inputs
 * @param exact whether every right implementation gives the same values: nothing is computed, or
 *     all partial results are representable
 * @param differentiable how many leading inputs the op has a gradient by
 * @param summed how many numbers are summed into one at most
 */
public record OpCase(
    Op op, List<Argument> arguments, boolean exact, int differentiable, int summed) {
  /** The cell on whose behalf ops are run in tests. */
  public static final CellPath PATH = new CellPath("/under/test");

  public OpCase {
    arguments = List.copyOf(arguments);
  }

  /** A case with rounding errors, no gradient and no sum. */
  public static OpCase of(Op op, Argument... arguments) {
    return new OpCase(op, List.of(arguments), false, 0, 1);
  }

  /** The same case, in which results are exact. */
  public OpCase exactly() {
    return exact(true);
  }

  /** The same case, in which results are exact or not. */
  public OpCase exact(boolean holds) {
    return new OpCase(op, arguments, holds, differentiable, summed);
  }

  /** The same case of an op with a gradient by the first {@code inputs} inputs. */
  public OpCase differentiable(int inputs) {
    return new OpCase(op, arguments, exact, inputs, summed);
  }

  /** The same case of an op that sums {@code count} numbers. */
  public OpCase summing(int count) {
    return new OpCase(op, arguments, exact, differentiable, count);
  }

  /** The same case with other inputs. */
  OpCase with(List<Argument> others) {
    return new OpCase(op, others, exact, differentiable, summed);
  }

  /** The same case with another input {@code index}. */
  OpCase with(int index, Argument other) {
    List<Argument> others = new ArrayList<>(arguments);
    others.set(index, other);
    return with(others);
  }

  /** The dtypes that the op has to compute in on every backend. */
  public List<DType> dtypes() {
    return op.precision() == PrecisionClass.FULL
        ? List.of(DType.FP32)
        : List.of(DType.FP32, DType.FP16, DType.BF16);
  }

  /** Whether the op, computing in this dtype, rounds to it on the way and not only its results. */
  boolean roundsOnTheWay(DType tested) {
    return tested.half() && op instanceof Recurrent;
  }

  /** How far results of this dtype may be off, where {@code tested} is the dtype under test. */
  Tolerance tolerance(DType tested, DType result) {
    if (exact) {
      return Tolerance.none(result);
    }
    Tolerance tolerance = Tolerance.of(result, summed);
    return roundsOnTheWay(tested) ? tolerance.ofSumsIn(tested, summed) : tolerance;
  }

  /** The specs of the inputs. */
  public List<TensorSpec> specs(DType tested) {
    return arguments.stream().map(argument -> argument.spec(tested)).toList();
  }

  /** The specs of the outputs. */
  public List<TensorSpec> inferred(DType tested) {
    return op.infer(specs(tested), PATH);
  }

  /** Values for the inputs. */
  public List<Tensor> tensors(TensorScope scope, DType tested, Generator generator) {
    return arguments.stream().map(a -> a.tensor(scope, tested, generator)).toList();
  }

  /** The op and the inputs, for messages. */
  public String describe(DType tested) {
    return op + " of " + specs(tested);
  }
}
