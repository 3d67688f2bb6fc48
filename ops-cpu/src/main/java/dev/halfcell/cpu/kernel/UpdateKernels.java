package dev.halfcell.cpu.kernel;

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
import java.util.List;

/** Optimizer rules and counters, each as an op of its own. */
final class UpdateKernels {
  private UpdateKernels() {}

  static void build(
      KernelBuilder builder, Update op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Window window -> WindowKernels.build(builder, window, in, out.getFirst());
      case UpdateRule rule -> rule(builder, rule, in, out);
      case ClipByNorm clip ->
          Flat.stage(
              builder,
              in.subList(0, 1),
              out,
              (from, to, count, _) ->
                  scale(from[0], to[0], count, clip.factor(Scalars.get(in.getLast()))));
      case ClipByValue(double most) ->
          Flat.stage(builder, in, out, (from, to, count, _) -> bound(from[0], to[0], count, most));
      case RowsRule rows -> RowMoves.build(builder, rows, at, in, out);
      case LearningRate(Schedule schedule) -> builder.stage(1, _ -> rate(schedule, in, out));
      case Increment() ->
          builder.stage(1, _ -> Scalars.set(out.getFirst(), Scalars.get(in.getFirst()) + 1));
      case CountRefused() -> builder.stage(1, _ -> count(in, out));
      case Hopeful() -> builder.stage(1, _ -> hope(in, out));
    }
  }

  private static void count(List<Operand> in, List<Operand> out) {
    boolean good = Scalars.get(in.getLast()) != 0;
    Scalars.set(out.getFirst(), good ? 0 : Scalars.get(in.getFirst()) + 1);
  }

  private static void hope(List<Operand> in, List<Operand> out) {
    boolean applied = Scalars.get(in.get(0)) != 0;
    double loss = Scalars.get(in.get(1));
    boolean hopeful = Hopeful.of(applied, loss, Scalars.get(in.get(2)), Scalars.get(in.get(3)));
    Scalars.set(out.getFirst(), hopeful ? 1 : 0);
  }

  private static void rate(Schedule schedule, List<Operand> in, List<Operand> out) {
    double factor = in.size() == 2 ? Scalars.get(in.getLast()) : 1;
    Scalars.set(out.getFirst(), schedule.rate((long) Scalars.get(in.getFirst())) * factor);
  }

  /** Multiplies gradients; {@code to} may be {@code from}. */
  static void scale(float[] from, float[] to, int count, double factor) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) (from[i] * factor);
    }
  }

  /** Keeps gradients within {@code most} of 0; {@code to} may be {@code from}. */
  static void bound(float[] from, float[] to, int count, double most) {
    for (int i = 0; i < count; i++) {
      to[i] = (float) Math.max(-most, Math.min(most, from[i]));
    }
  }

  private static void rule(
      KernelBuilder builder, UpdateRule rule, List<Operand> in, List<Operand> out) {
    int state = rule.slots().size() + 1;
    List<Operand> rows =
        in.subList(0, state + 1).stream()
            .map(x -> builder.in(x, x.dtype(), Layout.ROW_MAJOR))
            .toList();
    List<Operand> after =
        out.stream().map(y -> builder.out(y, y.dtype(), Layout.ROW_MAJOR)).toList();
    RuleStages.Moved moved =
        new RuleStages.Moved(
            rule, rows.getLast(), rows.subList(0, state), after, in.subList(state + 1, in.size()));
    new RuleStages(builder, List.of(moved), new RuleStages.Given()).build(builder);
  }
}
