package dev.halfcell.backend.reference;

import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.Update;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Rules, schedules and counters. */
final class UpdateKernels {
  private UpdateKernels() {}

  static List<double[]> compute(Update op, List<Tensor> in) {
    return switch (op) {
      case UpdateRule rule -> RuleKernels.compute(rule, in);
      case LearningRate(Schedule schedule) ->
          List.of(new double[] {schedule.rate((long) in.getFirst().item())});
      case Increment() -> List.of(new double[] {in.getFirst().item() + 1});
    };
  }
}
