package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.Update;
import java.util.List;

/** Optimizer rules and counters, each as an op of its own. */
final class UpdateKernels {
  private UpdateKernels() {}

  static void build(KernelBuilder builder, Update op, List<Operand> in, List<Operand> out) {
    switch (op) {
      case SgdRule rule -> rule(builder, rule, 2, in, out);
      case MomentumRule rule -> rule(builder, rule, 3, in, out);
      case AdamRule rule -> rule(builder, rule, 4, in, out);
      case LearningRate(Schedule schedule) ->
          builder.stage(
              1,
              _ -> Scalars.set(out.getFirst(), schedule.rate((long) Scalars.get(in.getFirst()))));
      case Increment() ->
          builder.stage(1, _ -> Scalars.set(out.getFirst(), Scalars.get(in.getFirst()) + 1));
    }
  }

  /** The first {@code tensors} inputs are parameter, slots and gradient; scalars follow. */
  private static void rule(
      KernelBuilder builder, Update rule, int tensors, List<Operand> in, List<Operand> out) {
    List<Operand> scalars = in.subList(tensors, in.size());
    Flat.stage(
        builder,
        in.subList(0, tensors),
        out,
        (from, to, count, _) -> UpdateRules.run(UpdateRules.now(rule, scalars), from, to, count));
  }
}
