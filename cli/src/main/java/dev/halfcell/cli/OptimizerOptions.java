package dev.halfcell.cli;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterOptimizer;
import dev.halfcell.zoo.RunSchedule;
import dev.halfcell.zoo.TrainingDefaults;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What {@code train} can be told of how parameters move. */
final class OptimizerOptions {
  @Option(
      names = "--learning-rate",
      paramLabel = "X",
      converter = OptionValues.Rate.class,
      description = "Above 0. Default: the network's recipe (lenet5: 0.01).")
  private Optional<Double> learningRate;

  @Option(
      names = "--schedule",
      paramLabel = "[warm-up=L+]NAME[:KEY=VALUE,...]",
      converter = OptionValues.Course.class,
      description =
          "How the learning rate follows the steps. L is a number of steps or a share of the run,"
              + " as 30%%; factors and ends are multiples of the learning rate: constant,"
              + " step:every=L,factor=0.1, exponential:every=L,factor=0.1, cosine:end=0,"
              + " linear:end=0, polynomial:power=2,end=0,"
              + " one-cycle:rise=0.3,start-divisor=25,end-divisor=10000,"
              + " piecewise:L=FACTOR,L=FACTOR,..."
              + " and plateau:factor=0.1,patience=10,threshold=0.0001,least=0; what has a value"
              + " here may be left out. Default: the network's recipe (lenet5: constant).")
  private Optional<RunSchedule> schedule;

  @Option(
      names = "--optimizer",
      paramLabel = "momentum|sgd|adam|adamw|lamb|lars|rmsprop|adagrad",
      defaultValue = "momentum",
      description =
          "Default: momentum, with the momentum of the network's recipe (lenet5: 0.9). The recipe's"
              + " learning rate is meant for it.")
  private OptimizerName optimizer;

  @Option(
      names = "--weight-decay",
      paramLabel = "X",
      converter = OptionValues.Decay.class,
      description =
          "At least 0, for every parameter. Default: with momentum and sgd the network's recipe"
              + " (lenet5: 0), else the optimizer's (adamw and lamb 0.01, lars 0.0005, others 0).")
  private Optional<Double> weightDecay;

  @Option(
      names = "--clip-norm",
      paramLabel = "X",
      converter = OptionValues.Rate.class,
      description = "The largest norm of all gradients together that is not scaled down.")
  private Optional<Double> clipNorm;

  @Option(
      names = "--accumulate",
      paramLabel = "N",
      defaultValue = "1",
      converter = OptionValues.Count.class,
      description =
          "Batches whose mean gradient makes a step; the last step of an epoch takes those that are"
              + " left. Default: 1.")
  private int accumulate;

  /** The batches in a step. */
  int accumulate() {
    return accumulate;
  }

  /** The optimizer for a run of {@code batches} batches in each of {@code epochs} epochs. */
  Optimizer optimizer(TrainingDefaults recipe, int epochs, int batches) {
    double rate = learningRate.orElse(recipe.learningRate());
    int steps = Math.multiplyExact(epochs, Math.ceilDiv(batches, accumulate));
    Schedule course = schedule.orElse(recipe.schedule()).over(steps, rate);
    ParameterOptimizer moving = optimizer.with(rate, recipe).withLearningRate(course);
    ParameterOptimizer decaying = weightDecay.map(moving::withWeightDecay).orElse(moving);
    return clipNorm
        .<Optimizer>map(norm -> decaying.clip(GradientClip.byNorm(norm)))
        .orElse(decaying);
  }
}
