package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A few cases of every op, each op by itself and in a moment: what mutations are tried against. The
 * build does not run it, for the contracts do more.
 */
final class FewCases {
  private static final int SHAPES = 4;
  private static final long SEED = Generator.seed();

  @TestFactory
  Stream<DynamicTest> everyOpHoldsItsContractInAFewCases() {
    Map<Class<?>, List<OpCase>> cases =
        OpCases.all(SEED, SHAPES).stream()
            .collect(Collectors.groupingBy(each -> each.op().getClass()));
    return SealedOps.records().stream()
        .map(op -> dynamicTest(op.getSimpleName(), () -> check(cases.getOrDefault(op, List.of()))));
  }

  private static void check(List<OpCase> cases) {
    assertFalse(cases.isEmpty(), "no case");
    try (ReferenceBackend backend = new ReferenceBackend()) {
      RefusalTrial refusals = new RefusalTrial(backend, backend, SEED);
      for (OpCase each : cases) {
        if (each.differentiable() > 0 && OpGradientTest.small(each)) {
          OpGradientTest.check(each);
        }
        refusals.missingInputs(each);
        refusals.changedInputs(each, DType.FP32);
      }
    }
  }
}
