package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.CountRefused;
import dev.halfcell.op.update.Hopeful;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.Update;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.op.update.Window;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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
      case RowsRule rule -> rows(rule, in, at);
      case LearningRate(Schedule schedule) -> {
        double factor = in.size() == 2 ? in.getLast().item() : 1;
        yield List.of(new double[] {schedule.rate((long) in.getFirst().item()) * factor});
      }
      case Increment() -> List.of(new double[] {in.getFirst().item() + 1});
      case CountRefused() ->
          List.of(new double[] {in.getLast().item() != 0 ? 0 : in.getFirst().item() + 1});
      case Hopeful() -> {
        double[] x = in.stream().mapToDouble(Tensor::item).toArray();
        yield List.of(new double[] {Hopeful.of(x[0] != 0, x[1], x[2], x[3]) ? 1 : 0});
      }
    };
  }

  /** The rows by themselves, moved as a small parameter is, and put back. */
  private static List<double[]> rows(RowsRule op, List<Tensor> in, CellPath at) {
    int first = op.gradientInput();
    int last = op.rowsInput();
    List<double[]> tables = in.subList(0, first).stream().map(Tensor::toArray).toList();
    int width = in.getFirst().spec().dim(1);
    int count = op.count(at, in.get(last + 1).item(), in.get(last).spec().dim(0));
    int[] places =
        IntStream.range(0, count)
            .map(i -> op.row(at, in.get(last).at(i), i, in.getFirst().spec().dim(0)))
            .flatMap(row -> IntStream.range(row * width, (row + 1) * width))
            .toArray();
    List<double[]> before = tables.stream().map(table -> picked(table, places)).toList();
    double[] gradient = Arrays.copyOf(in.get(first).toArray(), places.length);
    List<double[]> after =
        RuleKernels.compute(
            op.rule(), in.getFirst().dtype(), before, gradient, in.subList(first + 1, last));
    for (int table = 0; table < tables.size(); table++) {
      for (int i = 0; i < places.length; i++) {
        tables.get(table)[places[i]] = after.get(table)[i];
      }
    }
    return tables;
  }

  private static double[] picked(double[] table, int[] places) {
    return Arrays.stream(places).mapToDouble(place -> table[place]).toArray();
  }
}
