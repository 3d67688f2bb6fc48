package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.Embedding;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Lazy Adam where the gradient of a table cannot stay rows. */
class OnlyRowsTest {
  private static final Adam EXACT = new Adam(0.5);
  private static final Adam LAZY = EXACT.onlyRows();

  private static AmpOptions options() {
    return AmpOptions.defaults()
        .backend(new ReferenceBackend())
        .execution(new Execution.Planned(PlanOptions.PLAIN));
  }

  private static AmpOptions windows() {
    return options().accumulation(2);
  }

  private static AmpOptions ranks() {
    return options().collective(new Twin());
  }

  private static StepResult step(Optimizer optimizer, boolean sparse, AmpOptions options) {
    Initializer one = new Initializer.Constant(1);
    Embedding table = new Embedding(4, 2, OptionalInt.empty(), sparse, one);
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(table, new MSELoss(), optimizer, Level.O0, options)) {
      Tensor two = Tensor.of(scope, TensorSpec.of(DType.INT64, 1), 2);
      return train.run(two, scope.allocate(TensorSpec.of(DType.FP32, 1, 2)));
    }
  }

  private static Problem refused(Optimizer optimizer, AmpOptions options) {
    return assertThrows(UsageException.class, () -> step(optimizer, true, options)).problem();
  }

  @Test
  void aWindowOfMicroBatchesIsRefused() {
    Problem problem = refused(LAZY, windows());
    assertEquals("onlyRows", problem.subject());
    assertEquals("/embedding_table", problem.where());
    assertEquals("a window of 2 micro-batches, where rows become a whole gradient", problem.got());
  }

  @Test
  void severalRanksAreRefused() {
    Problem problem = refused(LAZY, ranks());
    assertEquals("/embedding_table", problem.where());
    assertEquals("several ranks, where rows become a whole gradient", problem.got());
  }

  @Test
  void soItIsBehindGroupsAndBounds() {
    Optimizer grouped = LAZY.groups(ParameterGroup.of("/*").rateFactor(0.5));
    for (Optimizer optimizer : List.of(grouped, LAZY.clip(GradientClip.byNorm(1)))) {
      refused(optimizer, windows());
      refused(optimizer, ranks());
    }
  }

  @Test
  void whatMovesAsTheWholeGradientDoesIsNot() {
    for (Optimizer optimizer : List.of(EXACT, new Sgd(0.5))) {
      assertFalse(step(optimizer, true, windows()).applied(), "the first of two");
      assertTrue(step(optimizer, true, ranks()).applied());
    }
    assertFalse(step(LAZY, false, windows()).applied(), "no gradient has come as rows");
    assertTrue(step(LAZY, false, ranks()).applied());
    assertTrue(step(LAZY, true, options()).applied());
  }
}
