package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A loss scale on a device: a plan that checks gradients and moves the scale alone. */
final class ScaleDevice implements Variables, AutoCloseable {
  private final LossScale rule;
  private final TensorScope scope = TensorScope.open();
  private final Map<Variable, Tensor> values = new LinkedHashMap<>();
  private final Tensor loss = scope.allocate(TensorSpec.of(DType.FP32));
  private final Tensor gradients;
  private final Plan plan;

  /** The scale of this rule, moved by so many gradients. */
  ScaleDevice(LossScale rule, Backend backend, int count) {
    this.rule = rule;
    this.gradients = scope.allocate(TensorSpec.of(DType.FP32, count));
    values.put(Variable.scale(), scope.allocate(TensorSpec.of(DType.FP32)));
    values.put(Variable.cleanSteps(), scope.allocate(TensorSpec.of(DType.INT64)));
    int words = rule.start().words().size();
    if (words > 0) {
      values.put(Variable.scaleWords(), scope.allocate(TensorSpec.of(DType.FP64, words)));
    }
    TracingExecutor tracing = new TracingExecutor(this);
    Tensor lossIn = tracing.input(loss.spec());
    Tensor gradientsIn = tracing.input(gradients.spec());
    Outcome<Tensor> outcome = describe(tracing, lossIn, gradientsIn);
    this.plan =
        backend.compile(tracing.graph(outcome), this, PlanOptions.FULL, Collective.single());
  }

  private Outcome<Tensor> describe(TracingExecutor tracing, Tensor lossIn, Tensor gradientsIn) {
    Ops ops = new Ops(tracing, CellPath.STEP);
    Tensor finite = ops.runAll(new GradientCheck(), lossIn, gradientsIn).getFirst();
    List<Tensor> in = new ArrayList<>(values.keySet().stream().map(tracing::read).toList());
    in.add(2, finite);
    if (rule.readsLargest()) {
      in.add(ops.run(new LargestMagnitude(), gradientsIn));
    }
    List<Tensor> next = ops.runAll(new ScaleUpdate(rule), in.toArray(Tensor[]::new));
    Map<Variable, Tensor> assigns = new LinkedHashMap<>();
    values.keySet().forEach(variable -> assigns.put(variable, next.get(assigns.size())));
    return new Outcome<>(List.of(finite), Optional.empty(), assigns);
  }

  /** Puts the scale where a run begins. */
  void restart() {
    LossScale.State start = rule.start();
    fill(read(Variable.scale()), start.scale());
    fill(read(Variable.cleanSteps()), (double) start.clean());
    if (!start.words().isEmpty()) {
      fill(read(Variable.scaleWords()), start.words().stream().mapToDouble(word -> word).toArray());
    }
  }

  /** Moves it by these gradients, and says where it stands. */
  LossScale.State step(double... each) {
    fill(gradients, each);
    plan.run(List.of(loss, gradients));
    return state();
  }

  private static void fill(Tensor tensor, double... values) {
    MemorySegment memory = tensor.write();
    for (int i = 0; i < values.length; i++) {
      Elements.set(memory, tensor.dtype(), i, values[i]);
    }
  }

  private LossScale.State state() {
    Tensor words = values.get(Variable.scaleWords());
    return new LossScale.State(
        read(Variable.scale()).item(),
        (long) read(Variable.cleanSteps()).item(),
        words == null ? List.of() : Arrays.stream(words.toArray()).boxed().toList());
  }

  @Override
  public Tensor read(Variable variable) {
    return Objects.requireNonNull(values.get(variable), variable::toString);
  }

  @Override
  public long seed() {
    return 0;
  }

  @Override
  public void close() {
    plan.close();
    scope.close();
  }
}
