package dev.halfcell.cli;

import dev.halfcell.optim.Adagrad;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.Lamb;
import dev.halfcell.optim.Lars;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.ParameterOptimizer;
import dev.halfcell.optim.RmsProp;
import dev.halfcell.optim.Sgd;
import dev.halfcell.zoo.TrainingDefaults;

/** The optimizers that {@code --optimizer} knows; the constants are spelled as users write them. */
enum OptimizerName {
  momentum,
  sgd,
  adam,
  adamw,
  lamb,
  lars,
  rmsprop,
  adagrad;

  /**
   * The optimizer at this rate. Plain descent takes momentum and decay from the recipe, which is
   * made for it; the others have defaults of their own, but for a momentum.
   */
  ParameterOptimizer with(double learningRate, TrainingDefaults recipe) {
    double momentum = recipe.momentum();
    return switch (this) {
      case momentum -> new Momentum(learningRate, momentum).withWeightDecay(recipe.weightDecay());
      case sgd -> new Sgd(learningRate).withWeightDecay(recipe.weightDecay());
      case adam -> new Adam(learningRate);
      case adamw -> new AdamW(learningRate, 0.01);
      case lamb -> new Lamb(learningRate);
      case lars -> new Lars(learningRate, momentum);
      case rmsprop -> new RmsProp(learningRate);
      case adagrad -> new Adagrad(learningRate);
    };
  }
}
