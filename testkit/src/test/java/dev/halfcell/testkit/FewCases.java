package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The smallest cases of every op, each op by itself and in a moment: what mutations are tried
 * against. The build does not run it, for the contracts do more.
 */
final class FewCases {
  private static final int FEW = 3;
  private static final long SEED = Generator.seed();

  @TestFactory
  Stream<DynamicTest> everyOpRefusesWhatItDoesNotTake() {
    return ofEveryOp(
        (op, cases) -> {
          try (ReferenceBackend backend = new ReferenceBackend()) {
            RefusalTrial refusals = new RefusalTrial(backend, backend, SEED);
            for (OpCase each : cases) {
              refusals.missingInputs(each);
              refusals.changedInputs(each, DType.FP32);
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> everyOpComputesWhatItInfers() {
    return ofEveryOp(
        (op, cases) -> {
          try (ReferenceBackend backend = new ReferenceBackend()) {
            OpTrial trial = new OpTrial(backend, backend, SEED, new ErrorMatrix());
            cases.forEach(each -> each.dtypes().forEach(dtype -> trial.results(each, dtype)));
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> everyGradientHasTheDtypeThatItShould() {
    return ofEveryOp(
        (op, cases) -> {
          try (ReferenceBackend backend = new ReferenceBackend()) {
            OpTrial trial = new OpTrial(backend, backend, SEED, new ErrorMatrix());
            List<OpCase> differentiable =
                fewest(OpCases.of(op, SEED).stream().filter(each -> each.differentiable() > 0));
            for (OpCase each : differentiable.isEmpty() ? cases : differentiable) {
              DType dtype = each.dtypes().getLast();
              if (differentiable.isEmpty()) {
                trial.refusesGradient(each, dtype);
              } else {
                trial.gradients(each, dtype, true);
                trial.gradients(each, dtype, false);
              }
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> everyGradientIsThatOfCentralDifferences() {
    return ofEveryOp(
        (op, _) ->
            fewest(OpCases.of(op, SEED).stream().filter(OpGradientTest::checked))
                .forEach(OpGradientTest::check));
  }

  private static Stream<DynamicTest> ofEveryOp(BiConsumer<Class<?>, List<OpCase>> check) {
    return SealedOps.records().stream()
        .map(op -> dynamicTest(op.getSimpleName(), () -> check.accept(op, few(op))));
  }

  private static List<OpCase> few(Class<?> op) {
    List<OpCase> few = fewest(OpCases.of(op, SEED).stream());
    assertFalse(few.isEmpty(), "no case");
    return few;
  }

  /** The smallest ones, and among them the smallest of each combination of ranks. */
  private static List<OpCase> fewest(Stream<OpCase> cases) {
    List<OpCase> rising = cases.sorted(Comparator.comparingLong(FewCases::elements)).toList();
    Map<List<Integer>, OpCase> ofRanks = new LinkedHashMap<>();
    rising.forEach(each -> ofRanks.putIfAbsent(ranks(each), each));
    return Stream.concat(rising.stream().limit(FEW), ofRanks.values().stream().limit(2L * FEW))
        .distinct()
        .toList();
  }

  private static List<Integer> ranks(OpCase each) {
    return each.arguments().stream().map(argument -> argument.shape().rank()).toList();
  }

  private static long elements(OpCase each) {
    return each.arguments().stream().mapToLong(a -> a.shape().size()).sum();
  }
}
