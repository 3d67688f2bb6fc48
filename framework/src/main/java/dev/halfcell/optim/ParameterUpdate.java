package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What an optimizer sees of one parameter in one step.
 *
 * @param ops where it computes: FP32, not differentiated
 * @param parameter whose turn it is
 * @param gradient its gradient, unscaled, FP32
 * @param rate the learning rate of this step, a scalar
 * @param applied the steps applied before this one, an INT64 scalar
 * @param read the present value of a parameter or slot
 * @param assign takes a variable's new value
 */
public record ParameterUpdate(
    Ops ops,
    Variable parameter,
    Tensor gradient,
    Tensor rate,
    Tensor applied,
    Function<Variable, Tensor> read,
    BiConsumer<Variable, Tensor> assign) {
  /**
   * Runs {@code rule} on the parameter, its slots, the gradient, the rate and {@code more}, and
   * assigns what it yields to the parameter and its slots, in that order.
   */
  public void assign(Op rule, List<Variable> slots, Tensor... more) {
    List<Variable> moved = new ArrayList<>(List.of(parameter));
    moved.addAll(slots);
    List<Tensor> in = new ArrayList<>(moved.stream().map(read).toList());
    in.add(gradient);
    in.add(rate);
    in.addAll(List.of(more));
    List<Tensor> out = ops.runAll(rule, in.toArray(Tensor[]::new));
    for (int i = 0; i < moved.size(); i++) {
      assign.accept(moved.get(i), out.get(i));
    }
  }
}
