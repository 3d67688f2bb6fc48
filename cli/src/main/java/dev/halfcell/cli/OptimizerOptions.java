package dev.halfcell.cli;

import dev.halfcell.zoo.RunSchedule;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.job.OptimizerSpecification;
import java.util.Map;
import picocli.CommandLine.Option;

/** What {@code train} can be told of how parameters move. */
final class OptimizerOptions {
  private final SaidKeys keys = new SaidKeys();

  /** The specification with what these options say in the place of what it says. */
  JobSpecification over(JobSpecification specification) {
    return keys.over(specification);
  }

  @Option(
      names = "--learning-rate",
      paramLabel = "X",
      converter = OptionValues.Rate.class,
      description = "Above 0. Default: the network's recipe (lenet5: 0.01).")
  void learningRate(double rate) {
    keys.say("/training/optimizer/learningRate", rate);
  }

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
  void schedule(RunSchedule schedule) {
    keys.say("/training/schedule", schedule.text());
  }

  @Option(
      names = "--optimizer",
      paramLabel = "momentum|sgd|adam|adamw|lamb|lars|rmsprop|adagrad",
      description =
          "Default: momentum, with the momentum of the network's recipe (lenet5: 0.9). The recipe's"
              + " learning rate is meant for it.")
  void optimizer(OptimizerSpecification.Name name) {
    keys.say("/training/optimizer/name", name);
  }

  @Option(
      names = "--weight-decay",
      paramLabel = "X",
      converter = OptionValues.Decay.class,
      description =
          "At least 0, for every parameter. Default: with momentum and sgd the network's recipe"
              + " (lenet5: 0), else the optimizer's (adamw and lamb 0.01, lars 0.0005, others 0).")
  void weightDecay(double decay) {
    keys.say("/training/optimizer/weightDecay", decay);
  }

  @Option(
      names = "--clip-norm",
      paramLabel = "X",
      converter = OptionValues.Rate.class,
      description = "The largest norm of all gradients together that is not scaled down.")
  void clipNorm(double norm) {
    keys.say("/training/clip", Map.of("norm", norm));
  }

  @Option(
      names = "--accumulate",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description =
          "Batches whose mean gradient makes a step; the last step of an epoch takes those that are"
              + " left. Default: 1.")
  void accumulate(int batches) {
    keys.say("/training/accumulation/microBatches", batches);
  }
}
