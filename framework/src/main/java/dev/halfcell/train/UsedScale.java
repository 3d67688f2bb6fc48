package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * The loss scale that a loop's steps use. A rule that never moves counts whatever the state holds,
 * which may be where another rule stands: a run of a dynamic scale goes on with a fixed one, or at
 * O0 with none. Its number is in the state while a step or a window lasts, and then what was there
 * before, for the other rule to go on from. One thread.
 */
final class UsedScale {
  private final StepState state;
  private final LossScale rule;
  private final boolean windowed;
  private OptionalDouble before = OptionalDouble.empty();

  /**
   * That of one loop.
   *
   * @param windowed whether its steps take several batches
   */
  UsedScale(StepState state, LossScale rule, boolean windowed) {
    this.state = state;
    this.rule = rule;
    this.windowed = windowed;
  }

  /** That of the step to come. A window that is open keeps the one with which it began. */
  double now() {
    return rule.moves() || open() ? there() : rule.start().scale();
  }

  /** Before a step, or a micro-batch. */
  void begin() {
    double used = now();
    double there = there();
    if (used != there) {
      before = OptionalDouble.of(there);
      put(used);
    }
  }

  /** After a step. */
  void end() {
    if (before.isPresent() && !open()) {
      put(before.getAsDouble());
      before = OptionalDouble.empty();
    }
  }

  /** A step that takes one batch. */
  StepResult during(Supplier<StepResult> step) {
    begin();
    try {
      return step.get();
    } finally {
      end();
    }
  }

  private boolean open() {
    return windowed && state.read(Variable.taken()).item() > 0;
  }

  private double there() {
    return state.read(Variable.scale()).item();
  }

  private void put(double scale) {
    Tensor scalar = state.read(Variable.scale());
    Elements.set(scalar.write(), scalar.dtype(), 0, scale);
  }
}
