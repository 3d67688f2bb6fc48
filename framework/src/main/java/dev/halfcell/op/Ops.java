package dev.halfcell.op;

import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Minimum;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Sub;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.op.elementwise.Where;
import dev.halfcell.op.indexing.Lookups;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The vocabulary that cells and gradient rules are written in. Each word is an op; formula, shapes
 * and gradient stand with the op's record. A family with many words of its own has a vocabulary of
 * its own, as {@link #lookups()}.
 *
 * @param executor who executes
 * @param at the cell on whose behalf
 */
public record Ops(Executor executor, CellPath at) {
  /** The first output of any op. */
  public Tensor run(Op op, Tensor... in) {
    return runAll(op, in).getFirst();
  }

  /** All outputs of any op. */
  public List<Tensor> runAll(Op op, Tensor... in) {
    for (int i = 0; i < in.length; i++) {
      ArgumentException.requirePresent(in[i], op.label() + " at " + at, "input " + i);
    }
    return executor.execute(op, List.of(in), at);
  }

  /** {@link Add}. */
  public Tensor add(Tensor a, Tensor b) {
    return run(new Add(), a, b);
  }

  /** {@link Sub}. */
  public Tensor sub(Tensor a, Tensor b) {
    return run(new Sub(), a, b);
  }

  /** {@link Mul}. */
  public Tensor mul(Tensor a, Tensor b) {
    return run(new Mul(), a, b);
  }

  /** {@link Div}. */
  public Tensor div(Tensor a, Tensor b) {
    return run(new Div(), a, b);
  }

  /** {@link Affine}: multiplier · x. */
  public Tensor scale(Tensor x, double multiplier) {
    return affine(x, multiplier, 0);
  }

  /** {@link Affine}: −x. */
  public Tensor neg(Tensor x) {
    return scale(x, -1);
  }

  /** {@link Affine}: multiplier · x + addend. */
  public Tensor affine(Tensor x, double multiplier, double addend) {
    return run(new Affine(multiplier, addend), x);
  }

  /** {@link Minimum} of two at each place. */
  public Tensor minimum(Tensor a, Tensor b) {
    return run(new Minimum(), a, b);
  }

  /** {@link Maximum} of two at each place. */
  public Tensor maximum(Tensor a, Tensor b) {
    return run(new Maximum(), a, b);
  }

  /** {@link Compare}: where the comparison of a and b holds. */
  public Tensor compare(Tensor a, Comparison comparison, Tensor b) {
    return run(new Compare(comparison), a, b);
  }

  /** {@link Where}: a where the condition holds, else b. */
  public Tensor where(Tensor condition, Tensor a, Tensor b) {
    return run(new Where(), a, b, condition);
  }

  /** {@link Exp}. */
  public Tensor exp(Tensor x) {
    return run(new Exp(), x);
  }

  /** {@link Log}. */
  public Tensor log(Tensor x) {
    return run(new Log(), x);
  }

  /** {@link Sigmoid}. */
  public Tensor sigmoid(Tensor x) {
    return run(new Sigmoid(), x);
  }

  /** {@link Tanh}. */
  public Tensor tanh(Tensor x) {
    return run(new Tanh(), x);
  }

  /** {@link Relu}. */
  public Tensor relu(Tensor x) {
    return run(new Relu(), x);
  }

  /** {@link MatMul} of matrices as they are. */
  public Tensor matMul(Tensor a, Tensor b) {
    return run(new MatMul(false, false, false), a, b);
  }

  /** {@link Dense} without a bias. */
  public Tensor dense(Tensor x, Tensor weight) {
    return run(new Dense(), x, weight);
  }

  /** {@link Dense}. */
  public Tensor dense(Tensor x, Tensor weight, Tensor bias) {
    return run(new Dense(), x, weight, bias);
  }

  /** {@link ScaledDotProductAttention} with the usual scale; {@code inputs}: q, k, v[, mask]. */
  public Tensor attention(boolean causal, Tensor... inputs) {
    int features = inputs[0].spec().rank() == 4 ? inputs[0].spec().dim(3) : 1; // else it refuses
    return run(ScaledDotProductAttention.of(features, causal), inputs);
  }

  /** {@link Conv2d}; {@code inputs} are x, weight and, where there is one, bias. */
  public Tensor conv2d(Conv2dGeometry geometry, Tensor... inputs) {
    return run(new Conv2d(geometry), inputs);
  }

  /** {@link Conv2dTranspose}; {@code inputs} are x, weight and, where there is one, bias. */
  public Tensor conv2dTranspose(
      Conv2dGeometry geometry, int outputPaddingHeight, int outputPaddingWidth, Tensor... inputs) {
    return run(new Conv2dTranspose(geometry, outputPaddingHeight, outputPaddingWidth), inputs);
  }

  /** {@link MaxPool2d}; the positions that it also yields are for its gradient. */
  public Tensor maxPool2d(Windows2d windows, Tensor x) {
    return run(new MaxPool2d(windows), x);
  }

  /** {@link AvgPool2d}. */
  public Tensor avgPool2d(Windows2d windows, Tensor x) {
    return run(new AvgPool2d(windows), x);
  }

  /** {@link Reshape}. */
  public Tensor reshape(Tensor x, Shape to) {
    return x.shape().equals(to) ? x : run(new Reshape(to), x);
  }

  /** {@link Reshape} to a matrix with the first axis as it is. */
  public Tensor flatten(Tensor x) {
    return reshape(x, Shape.of(x.spec().dim(0), Math.toIntExact(x.shape().tail().size())));
  }

  /** {@link Reshape} with an axis of size 1 more, which becomes axis {@code axis}. */
  public Tensor expandDims(Tensor x, int axis) {
    List<Integer> dims = new ArrayList<>(x.shape().dims());
    require(axis >= 0 && axis <= dims.size(), "expandDims", "an axis up to " + dims.size(), axis);
    dims.add(axis, 1);
    return reshape(x, new Shape(dims));
  }

  /** {@link Reshape} without an axis, which has to be of size 1. */
  public Tensor squeeze(Tensor x, int axis) {
    List<Integer> dims = new ArrayList<>(x.shape().dims());
    requireAxis("squeeze", x, axis);
    require(dims.get(axis) == 1, "squeeze", "an axis of size 1", axis + " of " + x.shape());
    dims.remove(axis);
    return reshape(x, new Shape(dims));
  }

  /** {@link Transpose}: axis i of the result is axis {@code permutation[i]} of x. */
  public Tensor transpose(Tensor x, int... permutation) {
    return run(new Transpose(Arrays.stream(permutation).boxed().toList()), x);
  }

  /** {@link Concat}. */
  public Tensor concat(int axis, Tensor... in) {
    return run(new Concat(axis), in);
  }

  /** {@link Slice} of {@code size} neighbours along one axis. */
  public Tensor slice(Tensor x, int axis, int start, int size) {
    requireAxis("slice", x, axis);
    return run(Slice.along(x.shape(), axis, start, size), x);
  }

  /** {@link Slice}s of these sizes, one after the other along an axis, that make up all of x. */
  public List<Tensor> split(Tensor x, int axis, int... sizes) {
    requireAxis("split", x, axis);
    int length = x.spec().dim(axis);
    boolean whole = Arrays.stream(sizes).asLongStream().sum() == length;
    require(whole, "split", "sizes that add up to " + length, Arrays.toString(sizes));
    List<Tensor> parts = new ArrayList<>();
    int start = 0;
    for (int size : sizes) {
      parts.add(slice(x, axis, start, size));
      start += size;
    }
    return List.copyOf(parts);
  }

  /** {@link Pad} at the edges. */
  public Tensor pad(Tensor x, List<Integer> before, List<Integer> after, double value) {
    return run(new Pad(before, after, value), x);
  }

  /** {@link ReverseSequence}. */
  public Tensor reverseSequence(Tensor x, Tensor lengths, int batchAxis, int timeAxis) {
    return run(new ReverseSequence(batchAxis, timeAxis), x, lengths);
  }

  /** The words for looking up and for its gradients. */
  public Lookups lookups() {
    return new Lookups(this);
  }

  /** {@link Reshape} to a matrix with the last axis as it is. */
  public Tensor rows(Tensor x) {
    int last = x.spec().dim(x.spec().rank() - 1);
    return reshape(x, Shape.of(Math.toIntExact(x.spec().size() / last), last));
  }

  /** {@link Sum} over axes, which disappear; {@code wide} leaves the sum unrounded. */
  public Tensor sum(Tensor x, boolean wide, int... axes) {
    return run(new Sum(Arrays.stream(axes).boxed().toList(), wide), x);
  }

  /** {@link Mean} over axes, which disappear. */
  public Tensor mean(Tensor x, int... axes) {
    return run(new Mean(Arrays.stream(axes).boxed().toList()), x);
  }

  /** {@link Extreme}: the largest over axes, which disappear. */
  public Tensor max(Tensor x, int... axes) {
    return run(new Extreme(Arrays.stream(axes).boxed().toList(), true), x);
  }

  /** {@link Extreme}: the smallest over axes, which disappear. */
  public Tensor min(Tensor x, int... axes) {
    return run(new Extreme(Arrays.stream(axes).boxed().toList(), false), x);
  }

  /** The position that {@link Extreme} gives: of the largest along an axis, in INT64. */
  public Tensor argMax(Tensor x, int axis) {
    return runAll(new Extreme(List.of(axis), true), x).getLast();
  }

  /** {@link LogSumExp} over axes, which disappear. */
  public Tensor logSumExp(Tensor x, int... axes) {
    return run(new LogSumExp(Arrays.stream(axes).boxed().toList()), x);
  }

  /** {@link Reshape} of what was made of x by reducing axes: each is there again, of size 1. */
  public Tensor keepAxes(Tensor reduced, Tensor x, List<Integer> axes) {
    List<Integer> dims = new ArrayList<>(x.shape().dims());
    axes.forEach(axis -> dims.set(axis, 1));
    return reshape(reduced, new Shape(dims));
  }

  /** {@link Softmax}. */
  public Tensor softmax(Tensor x, int axis) {
    return run(new Softmax(axis), x);
  }

  /** {@link LogSoftmax}. */
  public Tensor logSoftmax(Tensor x, int axis) {
    return run(new LogSoftmax(axis), x);
  }

  /** {@link Repeat} to a shape, along axes that x does not have. */
  public Tensor repeat(Tensor x, Shape to, List<Integer> axes) {
    return axes.isEmpty() ? x : run(new Repeat(to, axes), x);
  }

  /** {@link Sum} over all axes but {@code axis}. */
  public Tensor sumAllBut(Tensor x, int axis, boolean wide) {
    return sum(x, wide, IntStream.range(0, x.spec().rank()).filter(a -> a != axis).toArray());
  }

  /** {@link SoftmaxCrossEntropy}. */
  public Tensor softmaxCrossEntropy(Tensor logits, Tensor labels) {
    return run(new SoftmaxCrossEntropy(), logits, labels);
  }

  /** {@link MeanSquaredError}. */
  public Tensor meanSquaredError(Tensor x, Tensor target) {
    return run(new MeanSquaredError(), x, target);
  }

  /** {@link Cast}, where the dtype is another. */
  public Tensor cast(Tensor x, DType to) {
    return x.dtype() == to ? x : run(new Cast(to), x);
  }

  private void requireAxis(String word, Tensor x, int axis) {
    boolean holds = axis >= 0 && axis < x.shape().rank();
    require(holds, word, "an axis of " + x.shape() + ", counted from 0", axis);
  }

  private void require(boolean holds, String word, String expected, Object got) {
    if (!holds) {
      throw new ShapeException(
          new Problem(word, at.text(), expected, String.valueOf(got), "Check the input's shape."));
    }
  }
}
