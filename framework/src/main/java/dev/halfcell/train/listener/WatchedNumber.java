package dev.halfcell.train.listener;

import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;

/** A number that is kept in the state of a run, so that a run that goes on finds it again. */
record WatchedNumber(TrainState state, Variable variable) {
  /** Adds it to a state unless it is there. */
  static WatchedNumber in(TrainState state, String watcher, String name, double start) {
    Variable variable = Variable.watched(watcher, name);
    state.declare(variable, TensorSpec.of(DType.FP64), start);
    return new WatchedNumber(state, variable);
  }

  /**
   * What one who watches is called in the state.
   *
   * @param own its name among several of its kind; empty for one that has none
   */
  static String watcher(String kind, String own) {
    ArgumentException.require(own.indexOf('/') < 0, "name", "a name without '/'", own);
    return own.isEmpty() ? kind : kind + "/" + own;
  }

  double value() {
    return tensor().item();
  }

  void set(double value) {
    Tensor scalar = tensor();
    Elements.set(scalar.write(), scalar.dtype(), 0, value);
  }

  /** Where it is kept. */
  Tensor tensor() {
    return state.read(variable);
  }
}
