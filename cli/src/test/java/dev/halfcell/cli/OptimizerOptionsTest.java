package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.TrainingDefaults;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What an optimizer becomes of options and a network's recipe. */
final class OptimizerOptionsTest {
  private static final Schedule DIVIDED_TWICE =
      new Schedule.Piecewise(List.of(0L, 50L, 75L), List.of(0.1, 0.1 * 0.1, 0.1 * 0.01));

  private static Optimizer optimizer(String network, String... arguments) {
    TrainingDefaults recipe = Networks.named(network).defaults();
    return CommandLine.populateCommand(new OptimizerOptions(), arguments).optimizer(recipe, 10, 10);
  }

  @Test
  void theRecipeDecaysAndDividesTheRate() {
    assertEquals(new Momentum(DIVIDED_TWICE, 0.9, false, 1e-4), optimizer("resnet20"));
    assertEquals(new Sgd(DIVIDED_TWICE, 1e-4), optimizer("resnet20", "--optimizer=sgd"));
    assertEquals(
        new Momentum(new Schedule.Constant(0.01), 0.9, false, 1e-4), optimizer("resnet50"));
    assertEquals(new Momentum(0.01, 0.9), optimizer("lenet5"));
  }

  @Test
  void optionsComeBeforeTheRecipe() {
    assertEquals(
        new Momentum(new Schedule.Constant(0.1), 0.9, false, 0),
        optimizer("resnet20", "--weight-decay=0", "--schedule=constant"));
    assertEquals(
        new Momentum(new Schedule.Cosine(0.5, 100, 0), 0.9, false, 0.25),
        optimizer("resnet20", "--weight-decay=0.25", "--schedule=cosine", "--learning-rate=0.5"));
  }

  /** The recipe's decay is that of plain descent. */
  @Test
  void otherOptimizersDecayAsTheyDoThemselves() {
    assertEquals(
        new AdamW(0.1, 0.01), optimizer("resnet20", "--optimizer=adamw", "--schedule=constant"));
  }
}
