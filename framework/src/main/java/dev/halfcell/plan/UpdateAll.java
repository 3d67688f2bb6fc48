package dev.halfcell.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.Clip;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The end of a step over all parameters: (loss, scale, then for each target its inputs) → finite,
 * norm; and, only where finite, each target's parameter and slots are overwritten in place.
 *
 * <p>The inputs of a target are: the scaled gradient, the parameter, its {@code slots} slots, and
 * what else its rule takes behind the gradient: the rate and, for Adam, the applied steps. With u =
 * gradient / scale: finite and norm are {@link GradientCheck}'s of the loss and all u, and the new
 * values are the rule's of u. A kernel may leave out the rounding of u to FP32 between {@link
 * Unscale}, the check and the rule; where scale is a power of two and u is not subnormal there is
 * none. Nothing is overwritten before all gradients have been checked.
 *
 * <p>That kernel must not check the scaled gradients instead of u where the scale is below 1: a
 * finite gradient may leave FP32 when it is divided.
 *
 * @param targets the parameters, in the order of their inputs
 * @param clip what bounds every gradient between the check and its rule; the norm is the check's
 */
public record UpdateAll(List<Target> targets, Optional<Clip> clip) implements Work {
  /** The inputs before those of the first target: loss, scale. */
  public static final int SHARED = 2;

  /**
   * One parameter's part.
   *
   * @param rule how it moves
   */
  public record Target(UpdateRule rule) {
    /** How many slots the rule keeps for it. */
    public int slots() {
      return rule.slots().size();
    }

    /** How many inputs belong to it. */
    public int inputs() {
      return slots() + (rule.counted() ? 4 : 3);
    }
  }

  public UpdateAll {
    targets = List.copyOf(targets);
  }

  /** The position of a target's first input, its gradient; the parameter and its slots follow. */
  public int first(int target) {
    return SHARED + targets.subList(0, target).stream().mapToInt(Target::inputs).sum();
  }

  @Override
  public List<Tensor> define(Ops ops, List<Tensor> in) {
    List<Tensor> checked = new ArrayList<>(List.of(in.getFirst()));
    for (int t = 0; t < targets.size(); t++) {
      checked.add(ops.run(new Unscale(), in.get(first(t)), in.get(1)));
    }
    List<Tensor> check = all(ops, new GradientCheck(), checked);
    List<Tensor> out = new ArrayList<>(check);
    for (int t = 0; t < targets.size(); t++) {
      Target target = targets.get(t);
      List<Tensor> own = in.subList(first(t), first(t) + target.inputs());
      List<Tensor> taken = new ArrayList<>(own.subList(1, 2 + target.slots()));
      taken.add(clipped(ops, checked.get(1 + t), check.getLast()));
      taken.addAll(own.subList(2 + target.slots(), own.size()));
      out.addAll(all(ops, target.rule(), taken));
    }
    return List.copyOf(out);
  }

  private Tensor clipped(Ops ops, Tensor gradient, Tensor norm) {
    return clip.map(
            by ->
                switch (by) {
                  case ClipByNorm _ -> ops.run(by, gradient, norm);
                  case ClipByValue _ -> ops.run(by, gradient);
                })
        .orElse(gradient);
  }

  private static List<Tensor> all(Ops ops, Op op, List<Tensor> in) {
    return ops.runAll(op, in.toArray(Tensor[]::new));
  }

  @Override
  public List<Integer> overwrites() {
    List<Integer> positions = new ArrayList<>();
    for (int t = 0; t < targets.size(); t++) {
      for (int i = 0; i <= targets.get(t).slots(); i++) {
        positions.add(first(t) + 1 + i);
      }
    }
    return List.copyOf(positions);
  }
}
