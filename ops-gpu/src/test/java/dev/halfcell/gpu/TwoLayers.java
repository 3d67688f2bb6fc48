package dev.halfcell.gpu;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/** logits = relu(x · a + c) · b, its loss, gradients and momentum, written down by hand. */
final class TwoLayers implements Variables, AutoCloseable {
  private static final int ROWS = 7;
  private static final int IN = 20;
  private static final int HIDDEN = 33;
  private static final int CLASSES = 5;
  private static final CellPath PATH = new CellPath("/layers");

  private final TensorScope scope = TensorScope.open();
  private final Map<Variable, Tensor> values = new LinkedHashMap<>();
  private final Variable first = parameter("first");
  private final Variable shift = parameter("shift");
  private final Variable second = parameter("second");
  private final Variable rate = parameter("rate");
  private final long seed;

  TwoLayers(long seed) {
    this.seed = seed;
    values.put(first, scope.allocate(TensorSpec.of(DType.FP32, IN, HIDDEN)));
    values.put(shift, scope.allocate(TensorSpec.of(DType.FP32, HIDDEN)));
    values.put(second, scope.allocate(TensorSpec.of(DType.FP32, HIDDEN, CLASSES)));
    values.put(rate, scope.allocate(TensorSpec.of(DType.FP32)));
    values.put(first.slot("velocity"), scope.allocate(TensorSpec.of(DType.FP32, IN, HIDDEN)));
    values.put(second.slot("velocity"), scope.allocate(TensorSpec.of(DType.FP32, HIDDEN, CLASSES)));
    restart();
  }

  private static Variable parameter(String name) {
    return new Variable(Variable.Kind.PARAMETER, PATH.child(name));
  }

  /** Gives all variables their start values. */
  void restart() {
    Random random = new Random(seed);
    values.forEach(
        (variable, value) -> {
          boolean slot = variable.kind() == Variable.Kind.SLOT;
          for (long i = 0; i < value.spec().size(); i++) {
            double start = slot ? 0 : random.nextGaussian() / 4;
            Elements.set(value.write(), DType.FP32, i, variable.equals(rate) ? 0.1 : start);
          }
        });
  }

  List<Tensor> all() {
    return List.copyOf(values.values());
  }

  @Override
  public Tensor read(Variable variable) {
    return Objects.requireNonNull(values.get(variable), variable.toString());
  }

  @Override
  public long seed() {
    return seed;
  }

  /** (images, labels, apply) → loss, and the parameters moved. */
  Graph step(DType dtype) {
    TracingExecutor tracing = new TracingExecutor(this);
    Ops ops = new Ops(tracing, PATH);
    Tensor x = tracing.input(TensorSpec.of(dtype, ROWS, IN));
    Tensor labels = tracing.input(TensorSpec.of(DType.INT32, ROWS));
    Tensor apply = tracing.input(TensorSpec.of(DType.BOOL));
    Tensor a = tracing.read(first);
    Tensor b = tracing.read(second);
    Tensor hidden = hidden(ops, x, a, tracing.read(shift));
    Tensor logits = ops.run(new MatMul(false, false, false), hidden, b);
    SoftmaxCrossEntropy loss = new SoftmaxCrossEntropy();
    Tensor value = ops.run(loss, logits, labels);
    Tensor one = Tensor.scalar(scope, DType.FP32, 1);
    Tensor d = ops.run(new SoftmaxCrossEntropyGradient(loss), logits, labels, one);
    Tensor byB = ops.run(new MatMul(true, false, true), hidden, d);
    Tensor byHidden = ops.run(new MatMul(false, true, false), d, b);
    Tensor byProduct = ops.run(new ReluGradient(), byHidden, hidden);
    Tensor byA = ops.run(new MatMul(true, false, true), x, byProduct);
    Map<Variable, Tensor> moved = new LinkedHashMap<>();
    move(tracing, ops, first, byA, moved);
    move(tracing, ops, second, byB, moved);
    return tracing.graph(new Outcome<>(List.of(value), Optional.of(apply), moved));
  }

  private void move(
      TracingExecutor tracing,
      Ops ops,
      Variable variable,
      Tensor gradient,
      Map<Variable, Tensor> moved) {
    Variable velocity = variable.slot("velocity");
    List<Tensor> next =
        ops.runAll(
            new MomentumRule(0.9, false, 0.001),
            tracing.read(variable),
            tracing.read(velocity),
            gradient,
            tracing.read(rate));
    moved.put(variable, next.get(0));
    moved.put(velocity, next.get(1));
  }

  private static Tensor hidden(Ops ops, Tensor x, Tensor a, Tensor c) {
    Tensor product = ops.run(new MatMul(false, false, false), x, a);
    return ops.run(new Relu(), ops.run(new Add(), product, c));
  }

  /** (images, weights ...) → logits, all in a half. */
  Graph forward(DType half) {
    TracingExecutor tracing = new TracingExecutor(this);
    Ops ops = new Ops(tracing, PATH);
    Tensor x = tracing.input(TensorSpec.of(half, ROWS, IN));
    Tensor a = tracing.input(TensorSpec.of(half, IN, HIDDEN));
    Tensor c = tracing.input(TensorSpec.of(half, HIDDEN));
    Tensor b = tracing.input(TensorSpec.of(half, HIDDEN, CLASSES));
    Tensor logits = ops.run(new MatMul(false, false, false), hidden(ops, x, a, c), b);
    return tracing.graph(Outcome.of(List.of(logits)));
  }

  /** Images, labels and the word that the step may be applied. */
  static List<Tensor> batch(TensorScope scope, int number) {
    Random random = new Random(number);
    Tensor labels = scope.allocate(TensorSpec.of(DType.INT32, ROWS));
    for (int row = 0; row < ROWS; row++) {
      Elements.set(labels.data(), DType.INT32, row, random.nextInt(CLASSES));
    }
    Tensor x = filled(scope, random, TensorSpec.of(DType.FP32, ROWS, IN));
    return List.of(x, labels, Tensor.scalar(scope, DType.BOOL, 1));
  }

  /** One with a label that is no class. */
  static List<Tensor> badBatch(TensorScope scope) {
    List<Tensor> batch = batch(scope, 0);
    Elements.set(batch.get(1).data(), DType.INT32, 2, 9);
    Elements.set(batch.get(1).data(), DType.INT32, 4, -1);
    return batch;
  }

  /** What {@link #forward} takes. */
  static List<Tensor> batch(TensorScope scope, DType half, int number) {
    Random random = new Random(number);
    return List.of(
        filled(scope, random, TensorSpec.of(half, ROWS, IN)),
        filled(scope, random, TensorSpec.of(half, IN, HIDDEN)),
        filled(scope, random, TensorSpec.of(half, HIDDEN)),
        filled(scope, random, TensorSpec.of(half, HIDDEN, CLASSES)));
  }

  private static Tensor filled(TensorScope scope, Random random, TensorSpec spec) {
    Tensor tensor = scope.allocate(spec);
    for (long i = 0; i < spec.size(); i++) {
      Elements.set(tensor.data(), spec.dtype(), i, random.nextGaussian() / 3);
    }
    return tensor;
  }

  @Override
  public void close() {
    scope.close();
  }
}
