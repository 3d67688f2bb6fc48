package dev.halfcell.cli;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.cli.run.Signatures;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.Casting;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.TrainingDefaults;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code halfcell explain}. */
@Command(
    name = "explain",
    description = "Prints the precision plan of a network: a line per cell, with the reason.",
    footer = {
      "",
      "The casts counted are those that a whole training step describes (forward, loss, backward,"
          + " update); a backend may do several of them at once or inside another kernel."
    },
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (TrainStepCell train = build()) {
      Graph step = train.loop().trace(signature());
      console.out().print(train.plan().explain());
      console
          .out()
          .printf(
              "%d casts in a training step: %d to %s, %d to fp32%n",
              casts(step, precision.half()) + casts(step, DType.FP32),
              casts(step, precision.half()),
              precision.half().label(),
              casts(step, DType.FP32));
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }

  /** Tracing asks nothing of a backend: the one that needs no native library will do. */
  private TrainStepCell build() {
    TrainingDefaults recipe = precision.network().defaults();
    return Amp.buildTrainNetwork(
        precision.network().build(),
        new SoftmaxCrossEntropyLoss(),
        new Momentum(recipe.learningRate(), recipe.momentum()),
        precision.level(),
        precision.options().backend(new ReferenceBackend()));
  }

  private List<TensorSpec> signature() {
    List<TensorSpec> sample = List.of(precision.network().sample(), TensorSpec.of(DType.INT64));
    return Signatures.of(sample, precision.network().defaults().batchSize());
  }

  private static long casts(Graph step, DType to) {
    return step.nodes().stream()
        .filter(node -> node.op() instanceof Casting cast && cast.to() == to)
        .count();
  }
}
