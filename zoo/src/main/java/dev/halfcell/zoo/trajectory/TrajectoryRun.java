package dev.halfcell.zoo.trajectory;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.DataSet;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.List;

/** Takes the steps of a trajectory. */
final class TrajectoryRun {
  private final Trajectory trajectory;
  private final DataSet images;
  private final Backend backend;

  /** A run on the training images of the data set that the trajectory names. */
  TrajectoryRun(Trajectory trajectory, DataSet images, Backend backend) {
    long last = trajectory.firstImage() + (long) trajectory.steps() * trajectory.batchSize();
    ArgumentException.require(
        last <= images.size(), images.name(), "at least " + last + " images", images.size());
    this.trajectory = trajectory;
    this.images = images;
    this.backend = backend;
  }

  /** All steps from the start, at a level. */
  List<StepResult> at(TrajectoryLevel level) {
    Cell net = trajectory.network().build();
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                net,
                new SoftmaxCrossEntropyLoss(),
                trajectory.optimizer(),
                level.level(),
                level.options().backend(backend))) {
      assignStart(net, train.state());
      return steps(train, batch(scope));
    }
  }

  private void assignStart(Cell net, TrainState state) {
    List<Variable> parameters = trainable(net);
    ArgumentException.require(
        parameters.size() == trajectory.start().size(),
        trajectory.network().name(),
        parameters.size() + " parameters",
        trajectory.start().size());
    for (int i = 0; i < parameters.size(); i++) {
      state.assign(parameters.get(i), trajectory.start().get(i));
    }
  }

  private static List<Variable> trainable(Cell net) {
    List<Variable> trainable = new ArrayList<>();
    net.paths()
        .forEach(
            (cell, at) ->
                cell.parameters().stream()
                    .filter(Parameter::trainable)
                    .forEach(parameter -> trainable.add(parameter.in(at))));
    return trainable;
  }

  private List<StepResult> steps(TrainStepCell train, List<Tensor> batch) {
    List<StepResult> results = new ArrayList<>();
    int image = trajectory.firstImage();
    for (int step = 0; step < trajectory.steps(); step++) {
      for (int row = 0; row < trajectory.batchSize(); row++) {
        images.read(image++, batch, row);
      }
      results.add(train.run(batch.toArray(Tensor[]::new)));
    }
    return results;
  }

  private List<Tensor> batch(TensorScope scope) {
    return images.sample().stream()
        .map(part -> new TensorSpec(part.dtype(), part.shape().behind(trajectory.batchSize())))
        .map(scope::allocate)
        .toList();
  }
}
