package dev.halfcell.gpu;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.Clip;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** The end of a step over many parameters of several sizes, each with its rule, and their state. */
final class ManyParameters implements Variables, AutoCloseable {
  private static final int LARGE = 70_000;

  private final TensorScope scope = TensorScope.open();
  private final Random random = new Random(11);
  private final Map<Variable, Tensor> values = new LinkedHashMap<>();
  private final List<Variable> parameters = new ArrayList<>();
  private final List<UpdateRule> rules;
  private final Optional<Clip> clip;
  private final Variable rate = variable("rate");
  private final Variable applied = variable("applied");
  private final Variable logits = variable("logits");

  /** A parameter for each rule; the last is large. */
  ManyParameters(List<UpdateRule> rules, Optional<Clip> clip) {
    this.rules = rules;
    this.clip = clip;
    values.put(rate, Tensor.scalar(scope, DType.FP32, 0.1));
    values.put(applied, Tensor.scalar(scope, DType.INT64, 3));
    values.put(logits, Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 3), 0.5, -1, 2));
    for (int i = 0; i < rules.size(); i++) {
      Variable parameter = variable("w" + i);
      parameters.add(parameter);
      values.put(parameter, drawn(i, -1));
      for (String slot : rules.get(i).slots()) {
        values.put(parameter.slot(slot), drawn(i, 0.5));
      }
    }
  }

  private static Variable variable(String name) {
    return new Variable(Variable.Kind.PARAMETER, new CellPath("/" + name));
  }

  private TensorSpec spec(int parameter) {
    boolean last = parameter == rules.size() - 1;
    return TensorSpec.of(DType.FP32, last ? LARGE : 1 + parameter * 37 % 600);
  }

  /** Numbers from {@code least} to 1. */
  private Tensor drawn(int parameter, double least) {
    TensorSpec spec = spec(parameter);
    return Tensor.of(
        scope, spec, random.doubles(spec.size(), least, 1).map(v -> (float) v).toArray());
  }

  @Override
  public Tensor read(Variable variable) {
    return Objects.requireNonNull(values.get(variable), variable.toString());
  }

  @Override
  public long seed() {
    return 1;
  }

  /**
   * (labels, loss, scale, scaled gradients) → finite, norm, a cross entropy of the labels that
   * nothing else is made of, and all parameters moved.
   */
  Graph step() {
    TracingExecutor tracing = new TracingExecutor(this);
    Tensor labels = tracing.input(TensorSpec.of(DType.INT32, 1));
    Tensor loss = tracing.input(TensorSpec.of(DType.FP32));
    Tensor scale = tracing.input(TensorSpec.of(DType.FP32));
    List<Tensor> gradients = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      gradients.add(tracing.input(spec(i)));
    }
    Map<Variable, Tensor> state = new LinkedHashMap<>();
    values.keySet().forEach(variable -> state.put(variable, tracing.read(variable)));
    Map<Variable, Tensor> moved = new LinkedHashMap<>();
    List<Tensor> results = end(tracing, labels, loss, scale, gradients, state, moved);
    return tracing.graph(new Outcome<>(results, Optional.of(results.getFirst()), moved));
  }

  /** What {@link #step} becomes where each op is run by itself; {@code moved} takes the state. */
  List<Tensor> opByOp(Executor eager, List<Tensor> in, Map<Variable, Tensor> moved) {
    return end(eager, in.get(0), in.get(1), in.get(2), in.subList(3, in.size()), values, moved);
  }

  private List<Tensor> end(
      Executor on,
      Tensor labels,
      Tensor loss,
      Tensor scale,
      List<Tensor> gradients,
      Map<Variable, Tensor> state,
      Map<Variable, Tensor> moved) {
    Ops ops = new Ops(on, CellPath.ROOT);
    Tensor aside =
        ops.run(new SoftmaxCrossEntropy(), Objects.requireNonNull(state.get(logits)), labels);
    List<Tensor> unscaled = gradients.stream().map(g -> ops.run(new Unscale(), g, scale)).toList();
    List<Tensor> check =
        ops.runAll(
            new GradientCheck(),
            Stream.concat(Stream.of(loss), unscaled.stream()).toArray(Tensor[]::new));
    for (int i = 0; i < rules.size(); i++) {
      UpdateRule rule = rules.get(i);
      List<Variable> own = new ArrayList<>(List.of(parameters.get(i)));
      rule.slots().forEach(slot -> own.add(own.getFirst().slot(slot)));
      List<Tensor> in = new ArrayList<>(own.stream().map(state::get).toList());
      in.add(clipped(ops, unscaled.get(i), check.getLast()));
      in.add(state.get(rate));
      if (rule.counted()) {
        in.add(state.get(applied));
      }
      List<Tensor> next = ops.runAll(rule, in.toArray(Tensor[]::new));
      for (int k = 0; k < own.size(); k++) {
        moved.put(own.get(k), next.get(k));
      }
    }
    return List.of(check.getFirst(), check.getLast(), aside);
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

  /**
   * A label, a loss, a scale that is no power of two, and gradients.
   *
   * @param label which of three classes, or none
   * @param odd the last element of the last gradient
   */
  List<Tensor> inputs(int label, double odd) {
    List<Tensor> in = new ArrayList<>();
    in.add(Tensor.of(scope, TensorSpec.of(DType.INT32, 1), label));
    in.add(Tensor.scalar(scope, DType.FP32, 1));
    in.add(Tensor.scalar(scope, DType.FP32, 3));
    for (int i = 0; i < rules.size(); i++) {
      double[] drawn = drawn(i, -1).toArray();
      if (i == rules.size() - 1) {
        drawn[drawn.length - 1] = odd;
      }
      in.add(Tensor.of(scope, spec(i), drawn));
    }
    return in;
  }

  @Override
  public void close() {
    scope.close();
  }
}
