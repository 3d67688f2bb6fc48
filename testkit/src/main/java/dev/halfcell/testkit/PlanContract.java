package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a plan is used on every backend, and how it answers wrong use. */
public abstract class PlanContract extends OnBackend {
  private static final TensorSpec DATA = TensorSpec.of(DType.FP32, 64, 128);
  private static final TensorSpec WEIGHT = TensorSpec.of(DType.FP32, 96, 128);
  private static final long MOST_NANOSECONDS = 60_000_000_000L;

  private Plan plan(PlanOptions options) {
    NoState none = new NoState();
    TracingExecutor tracing = new TracingExecutor(none);
    Ops ops = new Ops(tracing, OpCase.PATH);
    Tensor y = ops.relu(ops.dense(tracing.input(DATA), tracing.input(WEIGHT)));
    Graph graph = tracing.graph(Outcome.of(List.of(y)));
    return backend().compile(graph, none, options, Collective.single());
  }

  private List<Tensor> inputs(int seed) {
    Generator generator = new Generator(seed);
    return Stream.of(DATA, WEIGHT)
        .map(s -> Argument.data(s.shape(), Fill.integers()).tensor(scope(), s.dtype(), generator))
        .toList();
  }

  private static List<PlanOptions> allOptions() {
    return List.of(PlanOptions.PLAIN, PlanOptions.FULL);
  }

  @Test
  final void aRunSeesItsOwnInputs() {
    for (PlanOptions options : allOptions()) {
      try (Plan plan = plan(options)) {
        for (int seed = 0; seed < 3; seed++) {
          List<Tensor> in = inputs(seed);
          Ops ops = new Ops(new ReferenceBackend().eager(scope()), OpCase.PATH);
          Tensor want = ops.relu(ops.dense(in.getFirst(), in.getLast()));
          assertTrue(want.sameBits(plan.run(in).getFirst()), options + ", run " + seed);
        }
      }
    }
  }

  @Test
  final void inputsOfAnotherSpecAreRefusedByNumber() {
    try (Plan plan = plan(PlanOptions.FULL)) {
      List<Tensor> in = inputs(1);
      Tensor narrow = scope().allocate(DATA.as(Shape.of(64, 127)));
      Tensor half = scope().allocate(new TensorSpec(DType.BF16, WEIGHT.shape()));
      ShapeException shape =
          assertThrows(ShapeException.class, () -> plan.run(List.of(narrow, in.getLast())));
      assertEquals("input 0", shape.problem().where());
      DTypeException dtype =
          assertThrows(DTypeException.class, () -> plan.run(List.of(in.getFirst(), half)));
      assertEquals("input 1", dtype.problem().where());
      assertThrows(UsageException.class, () -> plan.run(in.subList(0, 1)));
      assertEquals(1, plan.run(in).size());
    }
  }

  @Test
  final void aClosedPlanDoesNotRunAndClosesAgain() {
    Plan plan = plan(PlanOptions.FULL);
    List<Tensor> in = inputs(1);
    assertEquals(1, plan.run(in).size());
    plan.close();
    plan.close();
    assertThrows(UsageException.class, () -> plan.run(in));
  }

  @Test
  final void aBackendClosesTwice() {
    Backend other = open();
    other.close();
    other.close();
    assertEquals(backend().name(), other.name());
  }

  @Test
  final void aSecondThreadInsideAPlanIsRefusedAndBothAreNamed()
      throws InterruptedException, ExecutionException {
    List<Tensor> in = inputs(1);
    AtomicBoolean met = new AtomicBoolean();
    try (Plan plan = plan(PlanOptions.FULL);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Callable<String> runUntilTheyMeet = () -> runUntilTheyMeet(plan, in, met);
      List<Future<String>> answers = threads.invokeAll(List.of(runUntilTheyMeet, runUntilTheyMeet));
      String message = answers.getFirst().get() + answers.getLast().get();
      assertTrue(message.contains("one thread at a time"), message);
      assertTrue(message.contains("pool-") && message.contains("while pool-"), message);
    }
  }

  /** The message of the refusal, from the thread that was refused; nothing from the other one. */
  private static String runUntilTheyMeet(Plan plan, List<Tensor> in, AtomicBoolean met) {
    long end = System.nanoTime() + MOST_NANOSECONDS;
    while (!met.get() && System.nanoTime() < end) {
      try {
        plan.run(in);
      } catch (UsageException e) {
        met.set(true);
        return e.problem().message();
      }
    }
    return "";
  }
}
