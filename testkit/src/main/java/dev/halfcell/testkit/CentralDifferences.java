package dev.halfcell.testkit;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds gradients to (f(x + h) - f(x - h)) / 2h, in FP64 on the reference backend. The inputs
 * should be away from points where the derivative jumps.
 */
public final class CentralDifferences {
  private static final double STEP = 1e-5;
  private static final double TOLERANCE = 1e-7;

  private CentralDifferences() {}

  /** Something differentiable, written in ops. */
  @FunctionalInterface
  public interface Function {
    /** The output for these inputs. */
    Tensor apply(Ops ops, List<Tensor> in);
  }

  /** Something with several differentiable outputs, written in ops. */
  @FunctionalInterface
  public interface Functions {
    /** The outputs for these inputs. */
    List<Tensor> apply(Ops ops, List<Tensor> in);
  }

  /**
   * Checks the gradients of {@code function} by its first {@code leading} inputs at {@code in}.
   *
   * @throws AssertionError naming input and element where they disagree
   */
  public static void check(Function function, List<Tensor> in, int leading) {
    checkAll((ops, values) -> List.of(function.apply(ops, values)), in, leading);
  }

  /**
   * The same where a loss depends on all outputs.
   *
   * @throws AssertionError naming input and element where they disagree
   */
  public static void checkAll(Functions function, List<Tensor> in, int leading) {
    ArgumentException.require(
        in.stream().limit(leading).allMatch(x -> x.dtype() == DType.FP64),
        "central differences",
        "inputs in fp64",
        Tensor.specs(in));
    try (Backend reference = new ReferenceBackend();
        TensorScope scope = TensorScope.open()) {
      Tape tape = new Tape(reference.eager(scope));
      in.subList(0, leading).forEach(tape::watchInput);
      List<Tensor> out = function.apply(new Ops(tape, OpCase.PATH), in);
      Generator generator = new Generator(Generator.seed());
      Map<Tensor, Tensor> d = new LinkedHashMap<>();
      for (Tensor each : out) {
        Argument argument = Argument.data(each.shape(), Fill.normals());
        d.put(each, argument.tensor(scope, each.dtype(), generator));
      }
      Map<Tensor, Tensor> gradients = tape.gradients(d);
      for (int i = 0; i < leading; i++) {
        Tensor gradient =
            Optional.ofNullable(gradients.get(in.get(i)))
                .orElseThrow(() -> new AssertionError("no gradient by some input"));
        check(reference, function, in, i, gradient, List.copyOf(d.values()));
      }
    }
  }

  private static void check(
      Backend reference,
      Functions function,
      List<Tensor> in,
      int input,
      Tensor gradient,
      List<Tensor> d) {
    for (int i = 0; i < gradient.spec().size(); i++) {
      double above = moved(reference, function, in, new Move(input, i, STEP), d);
      double below = moved(reference, function, in, new Move(input, i, -STEP), d);
      double want = (above - below) / (2 * STEP);
      if (!(Math.abs(gradient.at(i) - want) <= TOLERANCE * (1 + Math.abs(want)))) {
        throw new AssertionError(
            "gradient of input %d, element %d: central difference %s, got %s"
                .formatted(input, i, want, gradient.at(i)));
      }
    }
  }

  private record Move(int input, int element, double by) {}

  /** The outputs with one element moved, each element of them times that of d, summed. */
  private static double moved(
      Backend reference, Functions function, List<Tensor> in, Move move, List<Tensor> d) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> values = new ArrayList<>(in);
      Tensor copy = scope.copy(in.get(move.input()));
      double value = copy.at(move.element()) + move.by();
      Elements.set(copy.data(), copy.dtype(), move.element(), value);
      values.set(move.input(), copy);
      List<Tensor> out = function.apply(new Ops(reference.eager(scope), OpCase.PATH), values);
      double sum = 0;
      for (int output = 0; output < d.size(); output++) {
        sum += product(out.get(output), d.get(output));
      }
      return sum;
    }
  }

  private static double product(Tensor out, Tensor d) {
    double sum = 0;
    for (int i = 0; i < out.spec().size(); i++) {
      sum += out.at(i) * d.at(i);
    }
    return sum;
  }
}
