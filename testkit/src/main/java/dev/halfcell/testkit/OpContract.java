package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every op holds on every backend, for each dtype that it computes in: outputs as inferred;
 * results and gradients those of the reference, exactly where nothing is rounded on the way; NaN
 * and infinities that reach what they have to; no input changed; missing inputs refused. Ops are
 * found by walking down the sealed families: one without cases fails.
 */
public abstract class OpContract {
  private static final int POISONED_CASES = 4;

  private final long seed = Generator.seed();
  private final Backend reference = new ReferenceBackend();
  private Backend backend = reference;

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  @BeforeEach
  final void openBackend() {
    backend = open();
  }

  @AfterEach
  final void closeBackend() {
    backend.close();
  }

  @Test
  final void everyOpHasCases() {
    List<Class<?>> without =
        SealedOps.records().stream().filter(op -> OpCases.of(op, seed).isEmpty()).toList();
    assertEquals(List.of(), without, "ops without a case in OpCases");
  }

  @TestFactory
  final Stream<DynamicContainer> everyOpHoldsItsContract() {
    OpTrial trial = new OpTrial(backend, reference, seed);
    return SealedOps.records().stream()
        .map(
            op ->
                dynamicContainer(
                    op.getSimpleName() + " on " + backend.name() + " (seed " + seed + ")",
                    tests(trial, OpCases.of(op, seed))));
  }

  private static List<DynamicTest> tests(OpTrial trial, List<OpCase> cases) {
    List<DynamicTest> tests = new ArrayList<>();
    List<OpCase> differentiable = cases.stream().filter(c -> c.differentiable() > 0).toList();
    List<OpCase> few = cases.stream().limit(POISONED_CASES).toList();
    for (DType dtype : cases.getFirst().dtypes()) {
      String of = " of " + dtype.label();
      add(tests, "results" + of, computable(cases, dtype), c -> trial.results(c, dtype));
      add(
          tests,
          "gradients" + of,
          computable(differentiable, dtype),
          c -> {
            trial.gradients(c, dtype, false);
            trial.gradients(c, dtype, true);
          });
      add(
          tests,
          "NaN and infinity" + of,
          computable(few, dtype),
          c -> {
            trial.nonFinite(c, dtype, Double.NaN);
            trial.nonFinite(c, dtype, Double.POSITIVE_INFINITY);
          });
    }
    if (differentiable.isEmpty()) {
      add(tests, "no gradient", few, c -> trial.refusesGradient(c, DType.FP32));
    }
    add(tests, "missing inputs", few, trial::rejectsMissingInputs);
    return tests;
  }

  /** FP64 is for checks on the reference: no other backend has to compute in it. */
  private static List<OpCase> computable(List<OpCase> cases, DType dtype) {
    return cases.stream()
        .filter(c -> c.inferred(dtype).stream().noneMatch(out -> out.dtype() == DType.FP64))
        .toList();
  }

  private static void add(
      List<DynamicTest> tests, String name, List<OpCase> cases, Consumer<OpCase> check) {
    if (!cases.isEmpty()) {
      tests.add(dynamicTest(name, () -> cases.forEach(check)));
    }
  }
}
