package dev.halfcell.cli;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PlanDiff;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.nn.Cell;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code halfcell plan-diff}. */
@Command(
    name = "plan-diff",
    description = "Prints which cells of a network two levels treat differently, and why.",
    mixinStandardHelpOptions = true)
final class PlanDiffCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private NetworkArgument network = new NetworkArgument();

  @Mixin private HalfOption half = new HalfOption();

  @Parameters(
      index = "1",
      paramLabel = "LEVEL",
      converter = OptionValues.LevelName.class,
      description = "The first level: O0, O1, O2, O3 or auto.")
  private Level first;

  @Parameters(
      index = "2",
      paramLabel = "LEVEL",
      converter = OptionValues.LevelName.class,
      description = "The second level.")
  private Level second;

  PlanDiffCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Cell net = network.network().withLoss();
    console.out().print(PlanDiff.of(plan(net, first), plan(net, second)).text());
    console.out().flush();
    return ExitCode.SUCCESS;
  }

  private PrecisionPlan plan(Cell net, Level level) {
    return PrecisionPlan.of(net, level, PrecisionOptions.defaults().half(half.half()));
  }
}
