package dev.halfcell.op.recurrent;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The shape rule that recurrent ops share.
 *
 * @param op who asks
 * @param gates how many gates stand below each other in the weights
 * @param states how many states are carried: h, or h and c
 */
record Rule(Recurrent op, int gates, int states) {
  /** Gates that are saved for each hidden unit: the four of an LSTM; of a GRU one more value. */
  private static final int SAVED = 4;

  private static final int PARAMETERS = 4;

  /** How many inputs have a gradient. */
  int leading() {
    return 1 + PARAMETERS + (op.pass().stateful() ? states : 0);
  }

  private int inputs() {
    return leading() + (op.pass().lengths() ? 1 : 0);
  }

  /** How many outputs a loss may depend on: y and the states. */
  int results() {
    return 1 + states;
  }

  /** How many of a gradient's inputs stand before those of the op. */
  int before() {
    return results() + 2;
  }

  /** y, the last states, and what is saved: gates and states of each step. */
  List<TensorSpec> outputs(List<TensorSpec> in, CellPath at) {
    return outputs(in, new Requirements(op, in, at).count(inputs()));
  }

  private List<TensorSpec> outputs(List<TensorSpec> in, Requirements must) {
    int first = must.in().size() - in.size();
    must.rank(first, 3, "[T, N, I]").floating(first).rank(first + 2, 2, "[G · H, H]");
    TensorSpec x = in.getFirst();
    must.dtype(first, first + leading(), x.dtype());
    int time = x.dim(0);
    int batch = x.dim(1);
    int hidden = in.get(2).dim(1);
    List<Shape> wanted = parameters(x.dim(2), hidden);
    wanted.addAll(Collections.nCopies(leading() - 1 - PARAMETERS, Shape.of(batch, hidden)));
    List<Shape> got = in.subList(1, leading()).stream().map(TensorSpec::shape).toList();
    must.shape(
        got.equals(wanted),
        "weights, biases and states of " + wanted,
        "The weights have a row for each of " + gates + " gates of each hidden unit.");
    if (op.pass().lengths()) {
      must.dtype(must.in().size() - 1, must.in().size(), DType.INT32);
      must.shape(
          in.getLast().shape().equals(Shape.of(batch)),
          "lengths of [" + batch + "]",
          "Pass a length for each sample.");
    }
    List<TensorSpec> out = new ArrayList<>();
    out.add(TensorSpec.of(x.dtype(), time, batch, hidden));
    out.addAll(Collections.nCopies(states, TensorSpec.of(x.dtype(), batch, hidden)));
    DType wide = x.dtype().wide();
    out.add(TensorSpec.of(wide, time, batch, SAVED * hidden));
    out.add(TensorSpec.of(wide, time, batch, hidden));
    return out;
  }

  private List<Shape> parameters(int inputs, int hidden) {
    int rows = gates * hidden;
    return new ArrayList<>(
        List.of(Shape.of(rows, inputs), Shape.of(rows, hidden), Shape.of(rows), Shape.of(rows)));
  }

  /** The products of both weights with the vectors of each step of each sample. */
  static long multiplyAdds(List<TensorSpec> in) {
    TensorSpec x = in.getFirst();
    return (long) x.dim(0) * x.dim(1) * (in.get(1).size() + in.get(2).size());
  }

  /** For each leading input whether its gradient leaves in FP32. */
  List<Boolean> wide(Backward b) {
    return IntStream.range(0, leading()).mapToObj(b::wide).toList();
  }

  /** The inputs of the gradient: gradients of the results, what the op saved, and its inputs. */
  Tensor[] gradientInputs(Backward b) {
    List<Tensor> inputs = new ArrayList<>();
    IntStream.range(0, results()).mapToObj(b::dOut).forEach(inputs::add);
    inputs.addAll(b.out().subList(results(), b.out().size()));
    inputs.addAll(b.in());
    return inputs.toArray(Tensor[]::new);
  }

  /** A gradient for each leading input of the op, whose inputs follow those of the gradient. */
  List<TensorSpec> gradients(List<TensorSpec> in, List<Boolean> wide, CellPath at) {
    Requirements must = new Requirements(op, in, at).count(before() + inputs());
    List<TensorSpec> ofOp = in.subList(before(), in.size());
    List<TensorSpec> outputs = outputs(ofOp, must);
    must.shape(
        in.subList(0, before()).equals(outputs),
        "gradients and saved values like " + outputs,
        "Pass the gradients of the results, then what the op saved, then its inputs.");
    return IntStream.range(0, leading())
        .mapToObj(i -> wide.get(i) ? ofOp.get(i).as(ofOp.get(i).dtype().wide()) : ofOp.get(i))
        .toList();
  }
}
