package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.update.CountRefused;
import dev.halfcell.op.update.Hopeful;
import dev.halfcell.op.update.Increment;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** What every step ends with: the next loss scale, and one more on the counters. */
record StepEnd(Recording recording, Ops below, LossScale rule) {
  /**
   * Moves them.
   *
   * @param loss the loss of the step
   * @param applied whether the step is applied
   * @param clean whether it, or all of its window, was finite: what the loss scale follows
   */
  void after(Tensor loss, Tensor applied, Tensor clean) {
    Tensor scale = recording.read(Variable.scale());
    List<Tensor> next =
        below.runAll(new ScaleUpdate(rule), scale, recording.read(Variable.cleanSteps()), clean);
    recording.update(Variable.scale(), next.getFirst());
    recording.update(Variable.cleanSteps(), next.getLast());
    for (Variable counter : List.of(Variable.applied(), Variable.seen())) {
      recording.update(counter, below.run(new Increment(), recording.read(counter)));
    }
    count(Variable.refused(), applied);
    count(Variable.hopeless(), below.run(new Hopeful(), applied, loss, scale, next.getFirst()));
  }

  private void count(Variable counter, Tensor good) {
    recording.update(counter, below.run(new CountRefused(), recording.read(counter), good));
  }
}
