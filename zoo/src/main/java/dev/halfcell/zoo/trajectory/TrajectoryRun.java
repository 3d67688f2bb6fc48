package dev.halfcell.zoo.trajectory;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.DataSet;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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

  /** How far all steps from the start, at a level, go from the golden ones. */
  Deviations fromGolden(TrajectoryLevel level) {
    try (TrainStepCell train = start(level, backend)) {
      return Deviations.of(trajectory, steps(train::run));
    }
  }

  /**
   * How far each step by itself goes from the same one of the reference backend: each begins where
   * that backend's steps before it ended.
   */
  Deviations stepByStepFromReference(TrajectoryLevel level) {
    try (Backend reference = new ReferenceBackend();
        TrainStepCell leader = start(level, reference);
        TrainStepCell train = start(level, backend)) {
      List<StepResult> wanted = new ArrayList<>();
      List<StepResult> got =
          steps(
              batch -> {
                leader.state().values().forEach(train.state()::assign);
                wanted.add(leader.run(batch));
                return train.run(batch);
              });
      return Deviations.of(wanted, got);
    }
  }

  private TrainStepCell start(TrajectoryLevel level, Backend on) {
    Cell net = trajectory.network().build();
    TrainStepCell train =
        Amp.buildTrainNetwork(
            net,
            NetworkDefinition.loss(),
            trajectory.optimizer(),
            level.level(),
            level.options().backend(on));
    assignStart(net, train.state());
    return train;
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

  private List<StepResult> steps(Function<Tensor[], StepResult> take) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> batch = batch(scope);
      List<StepResult> results = new ArrayList<>();
      int image = trajectory.firstImage();
      for (int step = 0; step < trajectory.steps(); step++) {
        for (int row = 0; row < trajectory.batchSize(); row++) {
          images.read(image++, batch, row);
        }
        results.add(take.apply(batch.toArray(Tensor[]::new)));
      }
      return results;
    }
  }

  private List<Tensor> batch(TensorScope scope) {
    return images.sample().stream()
        .map(part -> new TensorSpec(part.dtype(), part.shape().behind(trajectory.batchSize())))
        .map(scope::allocate)
        .toList();
  }
}
