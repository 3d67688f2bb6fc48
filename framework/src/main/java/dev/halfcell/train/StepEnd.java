package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.update.CountRefused;
import dev.halfcell.op.update.Hopeful;
import dev.halfcell.op.update.Increment;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What every step ends with: the next loss scale, and one more on the counters. */
record StepEnd(Recording recording, Ops below, LossScale rule) {
  /** What decides whether a step or micro-batch is applied; none where it is applied anyway. */
  static Optional<Tensor> guard(LossScale rule, Tensor finite) {
    return rule.dropsOverflows() ? Optional.of(finite) : Optional.empty();
  }

  /**
   * Moves them.
   *
   * @param loss the loss of the step
   * @param finite whether the step is
   * @param clean whether it, or all of its window, was finite: what the loss scale follows
   * @param gradients its gradients, unscaled
   */
  void after(Tensor loss, Tensor finite, Tensor clean, List<Tensor> gradients) {
    Tensor scale = recording.read(Variable.scale());
    Tensor next = scale(clean, gradients);
    for (Variable counter : List.of(Variable.applied(), Variable.seen())) {
      recording.update(counter, below.run(new Increment(), recording.read(counter)));
    }
    count(Variable.refused(), finite);
    count(Variable.hopeless(), below.run(new Hopeful(), finite, loss, scale, next));
  }

  private void count(Variable counter, Tensor good) {
    recording.update(counter, below.run(new CountRefused(), recording.read(counter), good));
  }

  /** Moves the loss scale, and says what it is next. */
  private Tensor scale(Tensor clean, List<Tensor> gradients) {
    List<Variable> variables = ScaleVariables.of(rule);
    List<Tensor> in = new ArrayList<>(variables.stream().map(recording::read).toList());
    in.add(2, clean);
    if (rule.readsLargest()) {
      in.add(below.run(new LargestMagnitude(), gradients.toArray(Tensor[]::new)));
    }
    List<Tensor> next = below.runAll(new ScaleUpdate(rule), in.toArray(Tensor[]::new));
    for (int i = 0; i < next.size(); i++) {
      recording.update(variables.get(i), next.get(i));
    }
    return next.getFirst();
  }
}
