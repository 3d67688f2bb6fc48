package dev.halfcell.cli;

import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;

/** The optimizers that {@code --optimizer} knows; the constants are spelled as users write them. */
enum OptimizerName {
  momentum {
    @Override
    Optimizer with(double learningRate, double momentum) {
      return new Momentum(learningRate, momentum);
    }
  },
  sgd {
    @Override
    Optimizer with(double learningRate, double momentum) {
      return new Sgd(learningRate);
    }
  },
  adam {
    @Override
    Optimizer with(double learningRate, double momentum) {
      return new Adam(learningRate);
    }
  };

  /** The optimizer; {@code momentum} is for the one that has it. */
  abstract Optimizer with(double learningRate, double momentum);
}
