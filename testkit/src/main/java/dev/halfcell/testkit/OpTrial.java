package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs cases on a backend and on the reference, and holds the one to the other.
 *
 * @param backend which is tried
 * @param reference which is right
 * @param seed from which values are drawn
 */
record OpTrial(Backend backend, Backend reference, long seed) {
  /** The op's results have the specs it infers and the reference's values; inputs stay as is. */
  void results(OpCase each, DType dtype) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      List<Tensor> before = in.stream().map(scope::copy).toList();
      List<Tensor> want = run(reference, scope, each.op(), in);
      List<Tensor> got = run(backend, scope, each.op(), in);
      String what = each.describe(dtype);
      assertEquals(each.inferred(dtype), Tensor.specs(got), what);
      for (int i = 0; i < want.size(); i++) {
        compare(each, want.get(i), got.get(i), what + ", output " + i);
      }
      for (int i = 0; i < in.size(); i++) {
        assertTrue(before.get(i).sameBits(in.get(i)), what + " changed its input " + i);
      }
    }
  }

  /**
   * One NaN or infinity in a floating input reaches the results that it reaches on the reference.
   */
  void nonFinite(OpCase each, DType dtype, double poison) {
    for (int input = 0; input < each.arguments().size(); input++) {
      if (each.specs(dtype).get(input).dtype().floating()) {
        nonFinite(each, dtype, poison, input);
      }
    }
  }

  private void nonFinite(OpCase each, DType dtype, double poison, int input) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      Tensor poisoned = in.get(input);
      Elements.set(poisoned.data(), poisoned.dtype(), poisoned.spec().size() / 2, poison);
      List<Tensor> want = run(reference, scope, each.op(), in);
      List<Tensor> got = run(backend, scope, each.op(), in);
      String what = each.describe(dtype) + ", input " + input + " with " + poison;
      // A kernel may multiply with the zeros of the padding, which meet nothing by definition.
      boolean further = each.op() instanceof Convolution c && c.meetsPadding();
      for (int i = 0; i < want.size(); i++) {
        sameKinds(want.get(i), got.get(i), Double.isNaN(poison), further, what + ", output " + i);
      }
    }
  }

  private static void sameKinds(
      Tensor want, Tensor got, boolean onlyNaN, boolean mayGoFurther, String what) {
    for (int i = 0; i < want.spec().size(); i++) {
      double right = want.at(i);
      double other = got.at(i);
      boolean same =
          Double.isFinite(right)
              ? mayGoFurther || Double.isFinite(other)
              : onlyNaN ? Double.isNaN(right) == Double.isNaN(other) : !Double.isFinite(other);
      assertTrue(same, what + ", element " + i + ": expected " + right + ", got " + other);
    }
  }

  /**
   * The gradients have the reference's values; those of parameters come in FP32, others in the
   * input's dtype.
   */
  void gradients(OpCase each, DType dtype, boolean parameters) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      List<Tensor> want = gradients(reference, scope, each, in, parameters);
      List<Tensor> got = gradients(backend, scope, each, in, parameters);
      for (int i = 0; i < want.size(); i++) {
        String what = each.describe(dtype) + ", gradient of input " + i;
        TensorSpec spec = in.get(i).spec();
        TensorSpec expected = parameters ? spec.as(spec.dtype().wide()) : spec;
        assertEquals(expected, got.get(i).spec(), what);
        compare(each, want.get(i), got.get(i), what);
      }
    }
  }

  private List<Tensor> gradients(
      Backend on, TensorScope scope, OpCase each, List<Tensor> in, boolean parameters) {
    Tape tape = new Tape(on.eager(scope));
    List<Tensor> leading = in.subList(0, each.differentiable());
    leading.forEach(parameters ? tape::watch : tape::watchInput);
    Tensor out = tape.execute(each.op(), in, OpCase.PATH).getFirst();
    Argument d = Argument.data(out.shape(), Fill.exact(each.exact()));
    Tensor seeded = d.tensor(scope, out.dtype(), new Generator(seed + 1));
    Map<Tensor, Tensor> gradients = tape.gradients(out, seeded);
    return leading.stream()
        .map(x -> Optional.ofNullable(gradients.get(x)).orElseThrow(() -> missing(each)))
        .toList();
  }

  private static AssertionError missing(OpCase each) {
    return new AssertionError(each.op() + " gives too few gradients");
  }

  /** An op that no case calls differentiable refuses to be differentiated. */
  void refusesGradient(OpCase each, DType dtype) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      Tape tape = new Tape(reference.eager(scope));
      tape.watchInput(in.getFirst());
      Tensor out = tape.execute(each.op(), in, OpCase.PATH).getFirst();
      assertThrows(UsageException.class, () -> tape.gradients(out, out), each.describe(dtype));
    }
  }

  /** Without its inputs the op does not run, and the error has all its fields. */
  void rejectsMissingInputs(OpCase each) {
    try (TensorScope scope = TensorScope.open()) {
      ShapeException e =
          assertThrows(
              ShapeException.class,
              () -> run(backend, scope, each.op(), List.of()),
              each.toString());
      assertEquals(each.op().label(), e.problem().subject());
      assertEquals(OpCase.PATH.text(), e.problem().where());
      assertFalse(e.problem().expected().isBlank());
      assertFalse(e.problem().got().isBlank());
      assertFalse(e.problem().fix().isBlank());
    }
  }

  private static List<Tensor> run(Backend on, TensorScope scope, Op op, List<Tensor> in) {
    return on.eager(scope).execute(op, in, OpCase.PATH);
  }

  private void compare(OpCase each, Tensor want, Tensor got, String what) {
    Tolerance tolerance =
        each.exact() ? Tolerance.none(got.dtype()) : Tolerance.of(got.dtype(), each.summed());
    IntStream.range(0, Math.toIntExact(want.spec().size()))
        .filter(i -> !tolerance.allows(want.at(i), got.at(i)))
        .findFirst()
        .ifPresent(
            i -> {
              throw new AssertionError(
                  "%s, element %d: expected %s within %s, got %s (seed %d)"
                      .formatted(what, i, want.at(i), tolerance, got.at(i), seed));
            });
  }
}
