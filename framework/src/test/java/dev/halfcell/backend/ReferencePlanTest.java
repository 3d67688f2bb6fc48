package dev.halfcell.backend;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReferencePlanTest {
  private static final CellPath AT = new CellPath("/net");
  private static final Variable KERNEL = parameter("kernel");
  private static final Variable BIAS = parameter("bias");
  private static final TensorSpec IMAGES = TensorSpec.of(DType.FP32, 2, 1, 6, 6);
  private static final TensorSpec LABELS = TensorSpec.of(DType.INT64, 2);

  private final TensorScope scope = TensorScope.open();
  private final ReferenceBackend backend = new ReferenceBackend();
  private final State state = new State(new HashMap<>());

  private static Variable parameter(String name) {
    return new Variable(Variable.Kind.PARAMETER, AT.child(name));
  }

  /** The simplest state: tensors by name. */
  private record State(Map<Variable, Tensor> values) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return requireNonNull(values.get(variable));
    }

    @Override
    public long seed() {
      return 0;
    }
  }

  @BeforeEach
  void fill() {
    state.values.put(KERNEL, wave(TensorSpec.of(DType.FP32, 4, 1, 3, 3)));
    state.values.put(BIAS, wave(TensorSpec.of(DType.FP32, 4)));
  }

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor wave(TensorSpec spec) {
    return Tensor.of(
        scope,
        spec,
        IntStream.range(0, (int) spec.size()).mapToDouble(i -> Math.sin(3 * i + 1)).toArray());
  }

  private Tensor labels() {
    return Tensor.of(scope, LABELS, 1, 3);
  }

  /** A convolution, half precision, pooling, loss, backward pass, and one refused or taken step. */
  private Outcome<Tensor> step(Executor base, Variables variables, Tensor x, Tensor label) {
    Tape tape = new Tape(base);
    Ops ops = new Ops(tape, AT);
    Tensor kernel = tape.watch(variables.read(KERNEL));
    Tensor bias = tape.watch(variables.read(BIAS));
    Tensor y =
        ops.conv2d(
            Conv2dGeometry.VALID,
            ops.cast(x, DType.BF16),
            ops.cast(kernel, DType.BF16),
            ops.cast(bias, DType.BF16));
    Tensor pooled = ops.maxPool2d(Window2d.square(4, 4, 0), ops.relu(y));
    Tensor logits = ops.cast(ops.flatten(pooled), DType.FP32);
    Tensor loss = ops.softmaxCrossEntropy(logits, label);
    Ops below = new Ops(base, CellPath.STEP);
    Tensor one = Tensor.scalar(scope, DType.FP32, 1);
    Map<Tensor, Tensor> gradients = tape.gradients(loss, one);
    Tensor rate = Tensor.scalar(scope, DType.FP32, 0.1);
    Tensor next = below.run(new SgdRule(0), kernel, requireNonNull(gradients.get(kernel)), rate);
    return new Outcome<>(
        List.of(loss, requireNonNull(gradients.get(bias)), kernel),
        Optional.empty(),
        Map.of(KERNEL, next));
  }

  private Graph graph() {
    TracingExecutor tracing = new TracingExecutor(state);
    Tensor x = tracing.input(IMAGES);
    return tracing.graph(step(tracing, tracing, x, tracing.input(LABELS)));
  }

  private Plan plan() {
    return backend.compile(graph(), state, PlanOptions.PLAIN, Collective.single());
  }

  @Test
  void aPlanHasTheBitsOfEagerExecution() {
    Tensor x = wave(IMAGES);
    Tensor kernelBefore = scope.copy(state.read(KERNEL));
    Outcome<Tensor> eager = step(backend.eager(scope), state, x, labels());
    try (Plan plan = plan()) {
      for (int repeat = 0; repeat < 2; repeat++) {
        state.read(KERNEL).data().copyFrom(kernelBefore.data());
        List<Tensor> results = plan.run(List.of(x, labels()));
        assertTrue(results.get(0).sameBits(eager.results().get(0)));
        assertTrue(results.get(1).sameBits(eager.results().get(1)));
        assertTrue(results.get(2).sameBits(kernelBefore), "a result is of before the commit");
        assertTrue(state.read(KERNEL).sameBits(requireNonNull(eager.assigns().get(KERNEL))));
      }
    }
  }

  @Test
  void inputsOfAnotherSignatureAreNamed() {
    try (Plan plan = plan()) {
      Tensor narrow = wave(TensorSpec.of(DType.FP32, 2, 1, 6, 5));
      ShapeException shape =
          assertThrows(ShapeException.class, () -> plan.run(List.of(narrow, labels())));
      assertEquals("input 0", shape.problem().where());
      Tensor wrong = wave(TensorSpec.of(DType.INT32, 2));
      DTypeException dtype =
          assertThrows(DTypeException.class, () -> plan.run(List.of(wave(IMAGES), wrong)));
      assertEquals("input 1", dtype.problem().where());
      assertThrows(UsageException.class, () -> plan.run(List.of(wave(IMAGES))));
    }
  }

  @Test
  void aClosedPlanSaysSo() {
    Plan plan = plan();
    plan.close();
    plan.close();
    UsageException e =
        assertThrows(UsageException.class, () -> plan.run(List.of(wave(IMAGES), labels())));
    assertEquals("an open plan", e.problem().expected());
  }

  @Test
  void theReportCountsWhatTheForwardPassKeepsAndAllThatIsAllocated() {
    try (Plan plan = plan()) {
      long castImages = 2 * 72;
      long relu = 2 * 2 * 4 * 16;
      long positions = 2 * 4;
      long logits = 4 * 2 * 4;
      assertEquals(castImages + relu + positions + logits, plan.report().activationBytes());
      Graph graph = graph();
      long expected =
          graph.nodes().stream()
              .flatMap(node -> node.out().stream())
              .mapToLong(slot -> graph.slots().get(slot).bytes())
              .sum();
      long kernelCopy = 4 * 36;
      long constants = 8;
      assertEquals(expected + kernelCopy + constants, plan.report().peakBytes());
      assertEquals(graph.nodes().size(), plan.report().schedule().size());
    }
  }

  @Test
  void theServiceLoaderFindsItAndAutoNeverChoosesIt() {
    BackendProvider provider =
        ServiceLoader.load(BackendProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(p -> p.name().equals("reference"))
            .findFirst()
            .orElseThrow(() -> new ArgumentException("provider", "reference", "none"));
    assertTrue(provider.preference() < 0);
    try (Backend opened = provider.open(1)) {
      assertEquals("reference", opened.name());
    }
  }
}
