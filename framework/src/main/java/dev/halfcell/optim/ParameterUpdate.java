package dev.halfcell.optim;

import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an optimizer sees of one parameter in one step.
 *
 * @param ops where it computes: FP32, not differentiated
 * @param parameter whose turn it is
 * @param either its gradient, unscaled, FP32: the whole of it, or rows of it
 * @param rate the learning rate of this step, a scalar
 * @param applied the steps applied before this one, an INT64 scalar
 * @param read the present value of a parameter or slot
 * @param assign takes a variable's new value
 */
public record ParameterUpdate(
    Ops ops,
    Variable parameter,
    Gradient either,
    Tensor rate,
    Tensor applied,
    Function<Variable, Tensor> read,
    BiConsumer<Variable, Tensor> assign) {
  /** The whole gradient; rows are put in their places among zeros. */
  public Tensor gradient() {
    return either.dense(ops);
  }

  /** The gradient's rows, where it has come as rows. */
  public Optional<Gradient.Rows> rows() {
    return either instanceof Gradient.Rows rows ? Optional.of(rows) : Optional.empty();
  }

  /**
   * Runs {@code rule} on the parameter, its slots, the gradient, the rate and {@code more}, and
   * assigns what it yields to the parameter and its slots, in that order.
   */
  public void assign(Op rule, List<Variable> slots, Tensor... more) {
    run(rule, slots, gradient(), more);
  }

  /** The same with the rows of a gradient, their numbers and count behind {@code more}. */
  public void assign(RowsRule rule, List<Variable> slots, Gradient.Rows rows, Tensor... more) {
    Stream<Tensor> all = Stream.concat(Arrays.stream(more), Stream.of(rows.rows(), rows.count()));
    run(rule, slots, rows.values(), all.toArray(Tensor[]::new));
  }

  private void run(Op rule, List<Variable> slots, Tensor gradient, Tensor... more) {
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
