package dev.halfcell.op.host;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * (in…) → out…: what a user's function computes, element by element in flat order, in double; each
 * result is rounded once to the dtype that was promised for it.
 *
 * <pre>{@code
 * static final HostFunction SQUARE =
 *     HostFunction.of("square", in -> in, in -> List.of(squares(in.getFirst())))
 *         .withGradient((in, out, d) -> List.of(twice(in.getFirst(), d.getFirst())));
 *
 * Tensor y = f.ops().run(SQUARE, x);
 * }</pre>
 *
 * <p>Shapes and dtypes: what {@code infer} promises for at least one input; as many elements are
 * demanded of each result. Gradient: {@code backward}, by the leading floating-point inputs;
 * without it the op has none. On a device other than the host a plan is split at it. Keep one
 * instance, in a constant: two are equal, so that a compiled plan can be found again, only where
 * their functions are the same objects. The functions have to be pure, may be called from several
 * threads, and compute by themselves: the CPU backend refuses ops that are run inside one.
 *
 * @param name what messages and schedules call it
 * @param precision what a precision plan does with its inputs: {@link PrecisionClass#FULL}, FP32 at
 *     every level, unless told otherwise
 * @param infer the specs of the results, from those of the inputs
 * @param forward the results
 * @param backward the gradients of the leading floating-point inputs, if there are any
 */
public record HostFunction(
    String name,
    PrecisionClass precision,
    Specs infer,
    Computation forward,
    Optional<Differentiation> backward)
    implements Host {
  /** What specs of results follow from those of inputs. */
  @FunctionalInterface
  public interface Specs {
    /** One spec for each result. */
    List<TensorSpec> of(List<TensorSpec> in);
  }

  /** What the results are. */
  @FunctionalInterface
  public interface Computation {
    /** The elements of each result; those of the inputs are copies. */
    List<double[]> of(List<double[]> in);
  }

  /** What the gradients are. */
  @FunctionalInterface
  public interface Differentiation {
    /**
     * The elements of the gradient of each leading floating-point input, from the inputs, the
     * results and the gradient of each floating-point result, in their order.
     */
    List<double[]> of(List<double[]> in, List<double[]> out, List<double[]> d);
  }

  public HostFunction {
    ArgumentException.requirePresent(name, "HostFunction", "the name");
    ArgumentException.requirePresent(precision, name, "the precision class");
    ArgumentException.requirePresent(infer, name, "what it infers");
    ArgumentException.requirePresent(forward, name, "what it computes");
    ArgumentException.require(
        !name.isBlank(), "HostFunction", "a name for messages", "'" + name + "'");
  }

  /** A function with no gradient, in FP32 at every level. */
  public static HostFunction of(String name, Specs infer, Computation forward) {
    return new HostFunction(name, PrecisionClass.FULL, infer, forward, Optional.empty());
  }

  /** The same with a gradient. */
  public HostFunction withGradient(Differentiation differentiation) {
    ArgumentException.requirePresent(differentiation, name, "its gradient");
    return new HostFunction(name, precision, infer, forward, Optional.of(differentiation));
  }

  /** The same with another wish to a precision plan. */
  public HostFunction withPrecision(PrecisionClass other) {
    return new HostFunction(name, other, infer, forward, backward);
  }

  @Override
  public String label() {
    return name;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1, Integer.MAX_VALUE);
    List<TensorSpec> out = called(at, "specs", () -> List.copyOf(infer.of(in)));
    require(!out.isEmpty(), at, "at least one result", "none");
    return out;
  }

  /** The elements of the results. */
  public List<double[]> compute(List<double[]> in, List<TensorSpec> promised, CellPath at) {
    List<double[]> out = called(at, "results", () -> List.copyOf(forward.of(in)));
    requireSizes(out, promised, "result", at);
    return out;
  }

  /** The elements of the gradients of the leading floating-point inputs. */
  List<double[]> differentiate(
      List<double[]> in,
      List<double[]> out,
      List<double[]> d,
      List<TensorSpec> promised,
      CellPath at) {
    Differentiation rule = backward.orElseThrow();
    List<double[]> gradients = called(at, "gradients", () -> List.copyOf(rule.of(in, out, d)));
    requireSizes(gradients, promised, "gradient", at);
    return gradients;
  }

  private void requireSizes(
      List<double[]> got, List<TensorSpec> promised, String what, CellPath at) {
    require(got.size() == promised.size(), at, promised.size() + " " + what + "s", got.size());
    for (int i = 0; i < got.size(); i++) {
      require(
          got.get(i).length == promised.get(i).size(),
          at,
          promised.get(i).size() + " elements for " + what + " " + i + ", " + promised.get(i),
          got.get(i).length + " elements");
    }
  }

  private void require(boolean holds, CellPath at, String expected, Object got) {
    if (!holds) {
      throw new UsageException(
          new Problem(
              name, at.text(), expected, String.valueOf(got), "Correct the host function."));
    }
  }

  /** What a function of the user's gives; what it throws is told with op and cell. */
  private <T> T called(CellPath at, String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw new UsageException(
          new Problem(name, at.text(), what, e.toString(), "Correct the host function."), e);
    }
  }

  /** All results: how many there are is the function's own business. */
  @Override
  public int differentiableOutputs() {
    return Integer.MAX_VALUE;
  }

  /** How many leading inputs are floating-point. */
  static int differentiable(List<TensorSpec> in) {
    return (int) in.stream().takeWhile(spec -> spec.dtype().floating()).count();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    if (backward.isEmpty()) {
      throw b.none();
    }
    List<Boolean> wide =
        IntStream.range(0, differentiable(Tensor.specs(b.in()))).mapToObj(b::wide).toList();
    List<Tensor> in = new ArrayList<>(b.in());
    in.addAll(b.out());
    IntStream.range(0, b.out().size())
        .filter(i -> b.out(i).dtype().floating())
        .forEach(i -> in.add(b.dOut(i)));
    HostFunctionGradient op = new HostFunctionGradient(this, b.in().size(), wide);
    return b.ops().runAll(op, in.toArray(Tensor[]::new));
  }
}
