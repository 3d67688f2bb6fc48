package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRowsRule;
import dev.halfcell.op.update.Update;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.op.update.Window;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/** Rules, schedules and counters. */
final class UpdateKernels {
  private UpdateKernels() {}

  static List<double[]> compute(Update op, List<Tensor> in, CellPath at) {
    return switch (op) {
      case Window window -> List.of(WindowKernels.compute(window, in));
      case UpdateRule rule -> RuleKernels.compute(rule, in);
      case ClipByNorm clip -> {
        double factor = clip.factor(in.getLast().item());
        yield List.of(Arrays.stream(in.getFirst().toArray()).map(g -> g * factor).toArray());
      }
      case ClipByValue(double most) ->
          List.of(
              Arrays.stream(in.getFirst().toArray())
                  .map(g -> Math.max(-most, Math.min(most, g)))
                  .toArray());
      case SgdRowsRule rule -> List.of(sgdRows(rule, in, at));
      case LearningRate(Schedule schedule) -> {
        double factor = in.size() == 2 ? in.getLast().item() : 1;
        yield List.of(new double[] {schedule.rate((long) in.getFirst().item()) * factor});
      }
      case Increment() -> List.of(new double[] {in.getFirst().item() + 1});
    };
  }

  private static double[] sgdRows(SgdRowsRule rule, List<Tensor> in, CellPath at) {
    double[] w = in.get(0).toArray();
    double[] gradient = in.get(1).toArray();
    double rate = in.get(2).item();
    int width = in.get(0).spec().dim(1);
    int count = rule.count(at, in.get(4).item(), in.get(3).spec().dim(0));
    for (int i = 0; i < count; i++) {
      int row = rule.row(at, in.get(3).at(i), i, in.get(0).spec().dim(0));
      for (int j = 0; j < width; j++) {
        w[row * width + j] -= rate * gradient[i * width + j];
      }
    }
    return w;
  }
}
