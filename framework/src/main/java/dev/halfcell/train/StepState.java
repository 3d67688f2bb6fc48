package dev.halfcell.train;

import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values of a run as one of its steps sees them: what is said of counters and the loss scale
 * holds for those under the step's own names, so that several steps may share a state.
 */
record StepState(TrainState all, StepRules rules) implements Variables {
  @Override
  public Tensor read(Variable variable) {
    return all.read(own(variable));
  }

  @Override
  public long seed() {
    return all.seed();
  }

  void declare(Variable variable, TensorSpec spec, double value) {
    all.declare(own(variable), spec, value);
  }

  void declare(Variable variable, TensorSpec spec, double[] values) {
    all.declare(own(variable), spec, values);
  }

  /** Adds the counters of a step, and what the schedule of its optimizer remembers. */
  void declareCounters(Optimizer optimizer) {
    declareCounters();
    if (optimizer.learningRate().plateau().isPresent()) {
      PlateauWatch.declare(this);
    }
  }

  /** Adds the counters of a step. */
  void declareCounters() {
    declareCounter(Variable.applied());
    declareCounter(Variable.seen());
    declareCounter(Variable.samples());
  }

  /** Adds a counter that stands at 0 unless it is there. */
  void declareCounter(Variable counter) {
    declare(counter, TensorSpec.of(DType.INT64), 0);
  }

  /** Values as the step sees them, from others of the same state. */
  Variables over(Variables others) {
    return new Seen(this, others);
  }

  /** What a description of the step yields, under the names that the state has. */
  Outcome<Tensor> named(Outcome<Tensor> outcome) {
    Map<Variable, Tensor> assigns = new LinkedHashMap<>();
    outcome.assigns().forEach((variable, value) -> assigns.put(own(variable), value));
    return new Outcome<>(outcome.results(), outcome.apply(), assigns);
  }

  private Variable own(Variable variable) {
    return switch (variable.kind()) {
      case SCALE -> variable.of(rules.scaleName());
      case APPLIED, SEEN, REFUSED, PLATEAU, WINDOW_COUNT, DEMOTION -> variable.of(rules.name());
      case WINDOW ->
          rules.name().isEmpty()
              ? variable
              : new Variable(variable.kind(), variable.path().child(rules.name()));
      case PARAMETER, STATISTIC, SLOT, AVERAGE, WATCHED -> variable;
    };
  }

  private record Seen(StepState step, Variables others) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return others.read(step.own(variable));
    }

    @Override
    public long seed() {
      return others.seed();
    }
  }
}
