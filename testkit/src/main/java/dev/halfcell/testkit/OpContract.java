package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.update.Restart;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every op holds on every backend, for each dtype that it computes in: outputs as inferred;
 * results and gradients those of the reference, exactly where nothing is rounded on the way; the
 * same bits again; NaN and infinities that reach what they have to; no input changed, nothing
 * written out of bounds; wrong inputs refused with all that an error has to say. Ops are found by
 * walking down the sealed families: one without cases fails. The worst errors are written to {@code
 * target/op-matrix-BACKEND.txt}.
 */
public abstract class OpContract extends OnBackend {
  private static final int EXACT_SHAPES = 200;
  private static final int EXACT_ROUNDS = 240;
  private static final int FEW = 4;

  private final long seed = Generator.seed();
  private final Backend reference = new ReferenceBackend();
  private final ErrorMatrix matrix = new ErrorMatrix();

  @Test
  final void everyOpHasCases() {
    Map<Class<?>, List<OpCase>> cases = byOp(OpCases.all(seed));
    List<Class<?>> without =
        SealedOps.records().stream().filter(op -> !cases.containsKey(op)).toList();
    assertEquals(List.of(), without, "ops without a case in OpCases");
  }

  /** No op can be asked to compute on nothing: there is no such shape. */
  @Test
  final void anEmptyBatchIsRefusedInEveryOpAlike() {
    ArgumentException e = assertThrows(ArgumentException.class, () -> Shape.of(0, 3));
    assertFalse(e.problem().fix().isBlank());
  }

  @TestFactory
  final Stream<DynamicNode> everyOpHoldsItsContract() {
    Map<Class<?>, List<OpCase>> cases = byOp(OpCases.all(seed));
    Memo exact = new Memo(() -> byOp(exactCases()));
    Stream<DynamicNode> ops =
        SealedOps.records().stream()
            .map(
                op ->
                    dynamicContainer(
                        op.getSimpleName() + " on " + backend().name() + " (seed " + seed + ")",
                        offered(cases.getOrDefault(op, List.of()), () -> exact.of(op))));
    return Stream.concat(ops, Stream.of(dynamicTest("the matrix of errors", this::writeMatrix)));
  }

  private static Map<Class<?>, List<OpCase>> byOp(List<OpCase> cases) {
    return cases.stream().collect(Collectors.groupingBy(each -> each.op().getClass()));
  }

  /** Sums of small integers: many shapes, for every right order of summation gives the same. */
  private List<OpCase> exactCases() {
    return OpCases.all(seed + 1, EXACT_ROUNDS).stream()
        .filter(each -> each.exact() && each.summed() > 1)
        .toList();
  }

  /** What a backend does not offer it refuses. */
  private Stream<DynamicNode> offered(List<OpCase> cases, Supplier<List<OpCase>> exact) {
    RefusalTrial refusals = new RefusalTrial(backend(), reference, seed);
    List<OpCase> others = cases.stream().filter(each -> !offered(each, DType.FP32)).toList();
    return Stream.concat(
        tests(cases.stream().filter(this::offered).toList(), exact),
        others.stream()
            .limit(1)
            .map(_ -> testAll("not offered", () -> others, DType.FP32, refusals::notOffered)));
  }

  private boolean offered(OpCase each) {
    return each.dtypes().stream().allMatch(dtype -> offered(each, dtype));
  }

  private boolean offered(OpCase each, DType dtype) {
    return backend().offers(each.op(), each.specs(dtype));
  }

  private Stream<DynamicNode> tests(List<OpCase> cases, Supplier<List<OpCase>> exact) {
    if (cases.isEmpty()) {
      return Stream.empty();
    }
    assertNotNull(cases.getFirst().op().precision(), "precision class");
    List<OpCase> few = cases.stream().limit(FEW).toList();
    RefusalTrial refusals = new RefusalTrial(backend(), reference, seed);
    Stream<DynamicNode> values =
        cases.getFirst().dtypes().stream().flatMap(dtype -> tests(cases, few, exact, dtype));
    Stream<DynamicNode> errors =
        Stream.of(
            test("missing inputs", () -> few, DType.FP32, refusals::missingInputs),
            test(
                "changed inputs",
                () -> few,
                DType.FP32,
                c -> refusals.changedInputs(c, DType.FP32)));
    return Stream.concat(values, errors);
  }

  private Stream<DynamicNode> tests(
      List<OpCase> cases, List<OpCase> few, Supplier<List<OpCase>> exact, DType dtype) {
    OpTrial trial = new OpTrial(backend(), reference, seed, matrix);
    List<OpCase> differentiable = cases.stream().filter(c -> c.differentiable() > 0).toList();
    String of = " of " + dtype.label();
    return Stream.of(
        test("results" + of, () -> cases, dtype, c -> trial.results(c, dtype)),
        test("exact results" + of, exact, dtype, c -> trial.results(c, dtype)),
        test("the same bits again" + of, () -> few, dtype, c -> trial.repeats(c, dtype)),
        test("NaN" + of, () -> few, dtype, c -> trial.nonFinite(c, dtype, Double.NaN)),
        test(
            "infinity" + of,
            () -> few,
            dtype,
            c -> trial.nonFinite(c, dtype, Double.POSITIVE_INFINITY)),
        differentiable.isEmpty()
            ? test("no gradient" + of, () -> few, dtype, c -> trial.refusesGradient(c, dtype))
            : test(
                "gradients" + of,
                () -> differentiable,
                dtype,
                c -> {
                  trial.gradients(c, dtype, false);
                  trial.gradients(c, dtype, true);
                }));
  }

  /**
   * FP64 is for checks on the reference: no other backend has to compute in it, but for the norm of
   * all gradients.
   */
  private static boolean computable(OpCase each, DType dtype) {
    return each.op() instanceof GradientCheck
        || each.inferred(dtype).stream().noneMatch(out -> out.dtype() == DType.FP64);
  }

  private DynamicTest test(
      String name, Supplier<List<OpCase>> cases, DType dtype, Consumer<OpCase> check) {
    return testAll(
        name,
        () -> cases.get().stream().filter(each -> offered(each, dtype)).toList(),
        dtype,
        check);
  }

  private static DynamicTest testAll(
      String name, Supplier<List<OpCase>> cases, DType dtype, Consumer<OpCase> check) {
    return dynamicTest(
        name,
        () ->
            cases.get().stream()
                .filter(each -> computable(each, dtype))
                .forEach(each -> Shrinking.run(each, dtype, check)));
  }

  private void writeMatrix() {
    String name = backend().name() + System.getProperty("halfcell.testkit.variant", "");
    String title = "Worst errors on backend " + name + ", seed " + seed;
    matrix.write(Path.of("target"), "op-matrix-" + name + ".txt", title);
    List<OpCase> computed = OpCases.all(seed).stream().filter(this::offered).toList();
    for (OpCase each : byOp(computed).values().stream().map(List::getFirst).toList()) {
      for (DType dtype : each.dtypes()) {
        String what = each.op().label() + " in " + dtype.label();
        boolean zeros = matrix.onlyZeros(each.op().label(), dtype);
        assertTrue(matrix.covers(each.op().label(), dtype), what + " was not compared");
        assertFalse(zeros && !yieldsZeros(each.op()), what + ": too many zeros to trust");
      }
    }
  }

  private static boolean yieldsZeros(Op op) {
    return op instanceof ZerosLike || op instanceof Restart;
  }

  /** Cases that are drawn when they are first asked for. */
  private static final class Memo {
    private final Supplier<Map<Class<?>, List<OpCase>>> draw;
    private Map<Class<?>, List<OpCase>> drawn = Map.of();

    Memo(Supplier<Map<Class<?>, List<OpCase>>> draw) {
      this.draw = draw;
    }

    List<OpCase> of(Class<?> op) {
      if (drawn.isEmpty()) {
        drawn = draw.get();
      }
      return drawn.getOrDefault(op, List.of()).stream().limit(EXACT_SHAPES).toList();
    }
  }
}
