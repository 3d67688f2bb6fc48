package dev.halfcell.cpu.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

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
 */
public record UpdateAll(List<Target> targets) implements Work {
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
    Tensor scale = in.get(1);
    List<Tensor> checked = new ArrayList<>(List.of(in.getFirst()));
    List<Tensor> moved = new ArrayList<>();
    for (int t = 0; t < targets.size(); t++) {
      Target target = targets.get(t);
      List<Tensor> own = in.subList(first(t), first(t) + target.inputs());
      Tensor gradient = ops.run(new Unscale(), own.getFirst(), scale);
      checked.add(gradient);
      List<Tensor> state = own.subList(1, 2 + target.slots());
      List<Tensor> taken = new ArrayList<>(state);
      taken.add(gradient);
      taken.addAll(own.subList(2 + target.slots(), own.size()));
      moved.addAll(all(ops, target.rule(), taken));
    }
    List<Tensor> out = new ArrayList<>(all(ops, new GradientCheck(), checked));
    out.addAll(moved);
    return List.copyOf(out);
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
