package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.Tensor;
import java.util.Map;

/** Is told what happens in training, on the training thread: it should be quick. */
@FunctionalInterface
public interface TrainListener {
  /** Something happened. */
  void on(TrainEvent event);

  /** The values of a state that it moves by itself: no other listener of a training may. */
  default Map<Variable, Tensor> moves() {
    return Map.of();
  }
}
