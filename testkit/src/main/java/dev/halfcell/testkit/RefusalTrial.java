package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.function.Executable;

/**
 * Runs ops on inputs that they mostly do not take. Either the shape rule takes them, and then both
 * backends compute or both refuse the values; or it refuses them. A refusal has all its fields.
 *
 * @param backend which is tried
 * @param reference which says what a value's refusal is
 * @param seed from which values are drawn
 */
record RefusalTrial(Backend backend, Backend reference, long seed) {
  /** Without its inputs the op does not run. */
  void missingInputs(OpCase each) {
    try (TensorScope scope = TensorScope.open()) {
      ShapeException e =
          assertThrows(
              ShapeException.class,
              () -> OpTrial.run(backend, scope, each.op(), List.of()),
              each.toString());
      requireAllFields(e, each, each + " without inputs");
    }
  }

  /** What the backend does not offer it refuses, op by op and in a plan alike. */
  void notOffered(OpCase each) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = each.tensors(scope, DType.FP32, new Generator(seed));
      TracingExecutor tracing = new TracingExecutor(new NoState());
      List<Tensor> out =
          tracing.execute(
              each.op(), Tensor.specs(in).stream().map(tracing::input).toList(), OpCase.PATH);
      Graph graph = tracing.graph(Outcome.of(out));
      List<Executable> ways =
          List.of(
              () -> OpTrial.run(backend, scope, each.op(), in),
              () -> compile(graph, PlanOptions.PLAIN),
              () -> compile(graph, PlanOptions.FULL));
      for (Executable way : ways) {
        UsageException e = assertThrows(UsageException.class, way, each.toString());
        requireAllFields(e, each, each.toString());
      }
    }
  }

  private void compile(Graph graph, PlanOptions options) {
    backend.compile(graph, new NoState(), options, Collective.single()).close();
  }

  /** Every change of one thing in the inputs is taken or refused, and nothing else happens. */
  void changedInputs(OpCase right, DType dtype) {
    WrongInputs.of(right, dtype).forEach(changed -> changed(changed, dtype));
  }

  private void changed(OpCase changed, DType dtype) {
    String what = changed.describe(dtype);
    try (TensorScope scope = TensorScope.guarded()) {
      if (!taken(changed, dtype, what) || !backend.offers(changed.op(), changed.specs(dtype))) {
        return;
      }
      List<Tensor> in = changed.tensors(scope, dtype, new Generator(seed));
      Optional<FrameworkException> refused = runs(reference, scope, changed, in, what);
      Optional<FrameworkException> also = runs(backend, scope, changed, in, what);
      assertEquals(refused.map(Object::getClass), also.map(Object::getClass), what);
    }
  }

  private static boolean taken(OpCase changed, DType dtype, String what) {
    List<TensorSpec> specs = changed.specs(dtype);
    try {
      return changed.op().infer(specs, OpCase.PATH).stream().noneMatch(RefusalTrial::onlyReference);
    } catch (FrameworkException e) {
      requireAllFields(e, changed, what);
      return false;
    } catch (RuntimeException e) {
      throw new AssertionError(what + ": the shape rule neither takes nor refuses it", e);
    }
  }

  private static boolean onlyReference(TensorSpec out) {
    return out.dtype() == DType.FP64;
  }

  /** The refusal, or nothing where the op ran. */
  private static Optional<FrameworkException> runs(
      Backend on, TensorScope scope, OpCase each, List<Tensor> in, String what) {
    try {
      List<Tensor> out = OpTrial.run(on, scope, each.op(), in);
      assertEquals(each.op().infer(Tensor.specs(in), OpCase.PATH), Tensor.specs(out), what);
      return Optional.empty();
    } catch (FrameworkException e) {
      requireAllFields(e, each, what);
      return Optional.of(e);
    } catch (RuntimeException e) {
      throw new AssertionError(
          what + ": taken by the shape rule, not by the kernel on " + on.name(), e);
    }
  }

  /** Op (a gradient op may name the op that it is of), path, expected, got and what to do. */
  static void requireAllFields(FrameworkException e, OpCase each, String what) {
    Problem problem = e.problem();
    String message = what + ": " + problem.message();
    assertFalse(problem.subject().isBlank(), "op: " + message);
    assertTrue(each.op().label().startsWith(problem.subject()), "op: " + message);
    assertEquals(OpCase.PATH.text(), problem.where(), message);
    assertFalse(problem.expected().isBlank(), "expected: " + message);
    assertFalse(problem.got().isBlank(), "got: " + message);
    assertFalse(problem.fix().isBlank(), "fix: " + message);
  }
}
