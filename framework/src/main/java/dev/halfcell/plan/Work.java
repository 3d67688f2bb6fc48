package dev.halfcell.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What one task computes. What each work means is said once, in {@link #define}: a kernel may leave
 * out roundings between the ops there and change orders of summation, nothing else.
 */
public sealed interface Work
    permits Work.Single,
        Work.ConvolutionRelu,
        Work.DenseRelu,
        Work.AddRelu,
        Work.AddReluGradient,
        Work.BatchNormRelu,
        Work.BatchNormReluGradient,
        Work.ReluMaxPool,
        Work.ReluMaxPoolGradient,
        Work.ConvolutionParameterGradients,
        Work.DenseParameterGradients,
        Work.SoftmaxCrossEntropyWithGradient,
        Work.Together,
        Work.Relayout,
        Work.Round,
        UpdateAll {
  /**
   * The work in ops: its outputs, followed by the new values of the inputs that it {@link
   * #overwrites}.
   */
  List<Tensor> define(Ops ops, List<Tensor> in);

  /** The positions of the inputs that hold variables of the state and are overwritten in place. */
  default List<Integer> overwrites() {
    return List.of();
  }

  /**
   * The position of the input whose storage the first output may take over, where sizes agree and
   * nobody reads that input later.
   */
  default OptionalInt inPlace() {
    return OptionalInt.empty();
  }

  /** The name in schedules. */
  default String label() {
    return getClass().getSimpleName();
  }

  /** One op as it is: inputs and outputs are the op's. */
  record Single(Op op) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return ops.runAll(op, in.toArray(Tensor[]::new));
    }

    @Override
    public OptionalInt inPlace() {
      // A comparison's truth values are no numbers that could lie where a number lay.
      boolean placeByPlace =
          op instanceof Elementwise && !(op instanceof Compare)
              || op instanceof RandomOp
              || op instanceof Unscale;
      return placeByPlace ? OptionalInt.of(0) : OptionalInt.empty();
    }

    @Override
    public String label() {
      return op.label();
    }
  }

  /**
   * (x, weight[, bias]) → y = max(conv2d(x, weight, bias), 0): {@link Conv2d}, then {@link Relu}.
   * No rounding is left out, for ReLU of a rounded value is the rounded ReLU.
   */
  record ConvolutionRelu(Conv2dGeometry geometry) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return List.of(ops.relu(ops.conv2d(geometry, in.toArray(Tensor[]::new))));
    }
  }

  /** (x, weight[, bias]) → y = max(x · weightᵀ + bias, 0): {@link Dense}, then {@link Relu}. */
  record DenseRelu() implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return List.of(ops.relu(ops.run(new Dense(), in.toArray(Tensor[]::new))));
    }
  }

  /**
   * (a, b) → y = max(a + b, 0) of two tensors of one shape: {@link Add}, then {@link Relu}. The
   * same numbers, for the sum is rounded all the same.
   */
  record AddRelu() implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return List.of(ops.relu(ops.add(in.get(0), in.get(1))));
    }

    @Override
    public OptionalInt inPlace() {
      return OptionalInt.of(0);
    }
  }

  /**
   * (a, b, y) → dx = a + b where y is above 0, else 0, of three tensors of one shape: {@link Add},
   * then {@link ReluGradient}.
   */
  record AddReluGradient() implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return List.of(ops.run(new ReluGradient(), ops.add(in.get(0), in.get(1)), in.get(2)));
    }

    @Override
    public OptionalInt inPlace() {
      return OptionalInt.of(0);
    }
  }

  /**
   * (x, gamma, beta[, z]) → y, mean, variance: {@link BatchNorm}, to whose result z of x's shape is
   * added if it is there, then {@link Relu}. Without z no rounding is left out; with it those of
   * the normalised x.
   *
   * @param adds whether there is a z
   */
  record BatchNormRelu(BatchNorm of, boolean adds) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      List<Tensor> normalised = ops.runAll(of, in.get(0), in.get(1), in.get(2));
      Tensor sum = adds ? ops.add(normalised.getFirst(), in.get(3)) : normalised.getFirst();
      return List.of(ops.relu(sum), normalised.get(1), normalised.get(2));
    }
  }

  /**
   * (d, x, gamma, mean, variance, y) → dx, dgamma, dbeta: {@link BatchNormGradient} of {@link
   * ReluGradient} of d and y. No rounding is left out.
   */
  record BatchNormReluGradient(BatchNormGradient of) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      Tensor masked = ops.run(new ReluGradient(), in.get(0), in.get(5));
      return ops.runAll(of, masked, in.get(1), in.get(2), in.get(3), in.get(4));
    }
  }

  /**
   * (x) → pooled, position: {@link Relu}, then {@link MaxPool2d}. Where no x of a window is above
   * 0, pooled is 0 and position is the window's first place inside the image; a NaN stays one.
   */
  record ReluMaxPool(Windows2d windows) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return ops.runAll(new MaxPool2d(windows), ops.relu(in.getFirst()));
    }
  }

  /**
   * (d, pooled, position) → dx: {@link MaxPool2dGradient} of {@link ReluGradient}: each d goes to
   * the place its maximum came from, if that maximum is above 0. All three inputs are [N, C, H',
   * W'], dx is {@code input}; no rounding is left out.
   *
   * @param input the shape of x
   */
  record ReluMaxPoolGradient(Windows2d windows, Shape input) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      Tensor masked = ops.run(new ReluGradient(), in.get(0), in.get(1));
      return List.of(ops.run(new MaxPool2dGradient(windows, input), masked, in.get(2)));
    }
  }

  /**
   * (d, x) → dweight, dbias: {@link Conv2dWeightGradient} and the sum of d over all axes but the
   * channels.
   *
   * @param weight the shape of the weight
   * @param wideWeight whether dweight leaves unrounded, in FP32
   * @param wideBias whether dbias leaves unrounded, in FP32
   */
  record ConvolutionParameterGradients(
      Conv2dGeometry geometry, Shape weight, boolean wideWeight, boolean wideBias) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      Tensor d = in.get(0);
      Conv2dWeightGradient byWeight = new Conv2dWeightGradient(geometry, weight, wideWeight);
      return List.of(ops.run(byWeight, d, in.get(1)), ops.sumAllBut(d, 1, wideBias));
    }
  }

  /**
   * (d [N, O], x [N, I]) → dweight [O, I] = dᵀ · x, dbias [O] = Σ over N of d.
   *
   * @param wideWeight whether dweight leaves unrounded, in FP32
   * @param wideBias whether dbias leaves unrounded, in FP32
   */
  record DenseParameterGradients(boolean wideWeight, boolean wideBias) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      Tensor d = in.get(0);
      return List.of(
          ops.run(new MatMul(true, false, wideWeight), d, in.get(1)), ops.sum(d, wideBias, 0));
    }
  }

  /**
   * (logits, labels, d) → loss, dlogits: {@link SoftmaxCrossEntropy} and its gradient {@link
   * SoftmaxCrossEntropyGradient}, which share the softmax; d is known before the loss, as the loss
   * scale is.
   */
  record SoftmaxCrossEntropyWithGradient(SoftmaxCrossEntropy of) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      SoftmaxCrossEntropyGradient gradient = new SoftmaxCrossEntropyGradient(of);
      return List.of(
          ops.run(of, in.get(0), in.get(1)), ops.run(gradient, in.get(0), in.get(1), in.get(2)));
    }
  }

  /**
   * Ops of one kind, none of which needs another's result: the inputs of the first, then those of
   * the second ... → the result of the first, of the second ...
   *
   * @param each of one result, and of as many inputs as the others have
   */
  record Together(List<Op> each) implements Work {
    public Together {
      each = List.copyOf(each);
    }

    /** How many inputs belong to an op. */
    public int inputs(int all) {
      return all / each.size();
    }

    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      int inputs = inputs(in.size());
      List<Tensor> out = new ArrayList<>();
      for (int i = 0; i < each.size(); i++) {
        List<Tensor> own = in.subList(i * inputs, (i + 1) * inputs);
        out.add(ops.run(each.get(i), own.toArray(Tensor[]::new)));
      }
      return List.copyOf(out);
    }

    @Override
    public String label() {
      return each.getFirst().label();
    }
  }

  /**
   * x → x in another order in memory: a backend that keeps some images with their channels last
   * puts one wherever the other order is wanted.
   *
   * @param last whether channels lie last then
   */
  record Relayout(boolean last) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      return List.of(in.getFirst());
    }
  }

  /**
   * x → x rounded to a narrower dtype and kept in its own: {@link Cast}, then the one back. No
   * rounding is left out.
   *
   * @param to what x is rounded to
   */
  record Round(DType to) implements Work {
    @Override
    public List<Tensor> define(Ops ops, List<Tensor> in) {
      Tensor x = in.getFirst();
      return List.of(ops.cast(ops.cast(x, to), x.dtype()));
    }
  }
}
