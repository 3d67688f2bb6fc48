package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs cases on a backend and on the reference, and holds the one to the other; the reference
 * itself is held to what it computes in FP64. Kernels write between guard bytes, into memory that
 * starts as NaN.
 *
 * @param backend which is tried
 * @param reference which is right
 * @param seed from which values are drawn
 * @param matrix where errors are kept
 */
record OpTrial(Backend backend, Backend reference, long seed, ErrorMatrix matrix) {
  /** The op's results have the specs it infers and the right values; inputs stay as they are. */
  void results(OpCase each, DType dtype) {
    try (TensorScope scope = TensorScope.guarded()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      List<Tensor> before = in.stream().map(scope::copy).toList();
      List<Tensor> want = right(scope, each, in);
      List<Tensor> got = run(backend, scope, each.op(), in);
      String what = each.describe(dtype);
      assertEquals(each.inferred(dtype), Tensor.specs(got), what);
      for (int i = 0; i < want.size(); i++) {
        Distance distance = compare(each, dtype, want.get(i), got.get(i), what + ", output " + i);
        matrix.add(each, dtype, ErrorMatrix.Kind.RESULTS, distance);
      }
      for (int i = 0; i < in.size(); i++) {
        assertTrue(before.get(i).sameBits(in.get(i)), what + " changed its input " + i);
      }
    }
  }

  /** What the results should be, before they are rounded to their dtype. */
  private List<Tensor> right(TensorScope scope, OpCase each, List<Tensor> in) {
    boolean itself = backend.name().equals(reference.name());
    return run(reference, scope, each.op(), itself ? inFp64(scope, each.op(), in) : in);
  }

  /** The same values in FP64, or as they are where the op does not take them so. */
  private static List<Tensor> inFp64(TensorScope scope, Op op, List<Tensor> in) {
    List<Tensor> widened =
        in.stream()
            .map(
                x ->
                    x.dtype().floating()
                        ? Tensor.of(scope, x.spec().as(DType.FP64), x.toArray())
                        : x)
            .toList();
    try {
      op.infer(Tensor.specs(widened), OpCase.PATH);
      return widened;
    } catch (FrameworkException e) {
      return in;
    }
  }

  /** The second run of an op on the same inputs gives the same bits. */
  void repeats(OpCase each, DType dtype) {
    try (TensorScope scope = TensorScope.guarded()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      List<Tensor> first = run(backend, scope, each.op(), in);
      List<Tensor> second = run(backend, scope, each.op(), in);
      for (int i = 0; i < first.size(); i++) {
        String what = each.describe(dtype) + ", output " + i + " of a second run";
        assertTrue(first.get(i).sameBits(second.get(i)), what);
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
   * The gradients have the reference's values, through each differentiable output alone and through
   * all of them; those of parameters come in FP32, others in the input's dtype.
   */
  void gradients(OpCase each, DType dtype, boolean parameters) {
    int outputs = Math.min(each.op().differentiableOutputs(), each.inferred(dtype).size());
    Stream<List<Integer>> alone = IntStream.range(0, outputs).mapToObj(List::of);
    List<Integer> all = IntStream.range(0, outputs).boxed().toList();
    Stream.concat(alone, Stream.of(all))
        .distinct()
        .forEach(through -> gradients(each, dtype, parameters, through));
  }

  private void gradients(OpCase each, DType dtype, boolean parameters, List<Integer> through) {
    try (TensorScope scope = TensorScope.guarded()) {
      List<Tensor> in = each.tensors(scope, dtype, new Generator(seed));
      AtomicBoolean offered = new AtomicBoolean(true);
      Executor watched = watched(reference.eager(scope), offered);
      List<Tensor> want = gradients(watched, scope, each, in, parameters, through);
      if (!offered.get()) {
        return; // the gradient needs ops that this backend refuses
      }
      List<Tensor> got = gradients(backend.eager(scope), scope, each, in, parameters, through);
      for (int i = 0; i < want.size(); i++) {
        String what = each.describe(dtype) + ", gradient of input " + i + " through " + through;
        TensorSpec spec = in.get(i).spec();
        TensorSpec expected = parameters ? spec.as(spec.dtype().wide()) : spec;
        assertEquals(expected, got.get(i).spec(), what);
        Distance distance = compare(each, dtype, want.get(i), got.get(i), what);
        matrix.add(each, dtype, ErrorMatrix.Kind.GRADIENTS, distance);
      }
    }
  }

  /** Notes whether the backend offers all that runs. */
  private Executor watched(Executor on, AtomicBoolean offered) {
    return (op, in, at) -> {
      if (!backend.offers(op, Tensor.specs(in))) {
        offered.set(false);
      }
      return on.execute(op, in, at);
    };
  }

  private List<Tensor> gradients(
      Executor on,
      TensorScope scope,
      OpCase each,
      List<Tensor> in,
      boolean parameters,
      List<Integer> through) {
    Tape tape = new Tape(on);
    List<Tensor> leading = in.subList(0, each.differentiable());
    leading.forEach(parameters ? tape::watch : tape::watchInput);
    List<Tensor> out = tape.execute(each.op(), in, OpCase.PATH);
    Map<Tensor, Tensor> seeds = new LinkedHashMap<>();
    for (int output : through) {
      Tensor result = out.get(output);
      Argument d = Argument.data(result.shape(), Fill.exact(each.exact()));
      seeds.put(result, d.tensor(scope, result.dtype(), new Generator(seed + 1 + output)));
    }
    Map<Tensor, Tensor> gradients = tape.gradients(seeds);
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
      UsageException e =
          assertThrows(UsageException.class, () -> tape.gradients(out, out), each.describe(dtype));
      RefusalTrial.requireAllFields(e, each, each.describe(dtype));
    }
  }

  static List<Tensor> run(Backend on, TensorScope scope, Op op, List<Tensor> in) {
    return on.eager(scope).execute(op, in, OpCase.PATH);
  }

  private Distance compare(OpCase each, DType dtype, Tensor want, Tensor got, String what) {
    Tolerance tolerance = each.tolerance(dtype, got.dtype());
    Distance distance = Distance.of(want, got, tolerance);
    distance
        .firstWrong()
        .ifPresent(
            i -> {
              throw new AssertionError(
                  "%s, element %d: expected %s within %s, got %s (seed %d)"
                      .formatted(what, i, want.at(i), tolerance, got.at(i), seed));
            });
    return distance;
  }
}
