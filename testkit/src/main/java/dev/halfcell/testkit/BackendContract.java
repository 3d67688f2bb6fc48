package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.StepPart;
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.plan.Arithmetic;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What whole training steps hold on every backend: a plain plan has the bits of eager execution, a
 * full one stays near the reference, steps that overflow or fail move nothing, and runs repeat.
 */
public abstract class BackendContract extends OnBackend {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Execution FULL = new Execution.Planned(PlanOptions.FULL);
  private static final int[] BATCH_SIZES = {6, 6, 3, 6, 1};

  static List<SmallTraining> trainings() {
    return SmallTraining.all();
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void aPlainPlanHasTheBitsOfEagerExecution(SmallTraining training) {
    try (TrainStepCell eager = training.open(backend(), EAGER);
        TrainStepCell plan = training.open(backend(), PLAIN)) {
      for (int step = 0; step < BATCH_SIZES.length; step++) {
        Batch batch = SmallTraining.batch(scope(), step, BATCH_SIZES[step]);
        assertEquals(eager.run(batch), plan.run(batch), "step " + step);
        assertEquals(List.of(), SmallTraining.moved(eager.state().values(), plan.state().values()));
      }
      assertEquals(3, plan.loop().plans());
    }
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void theSameRunHasTheSameBitsAgain(SmallTraining training) {
    try (TrainStepCell first = training.open(backend(), FULL);
        TrainStepCell second = training.open(backend(), FULL)) {
      for (int step = 0; step < BATCH_SIZES.length; step++) {
        Batch batch = SmallTraining.batch(scope(), step, BATCH_SIZES[step]);
        assertEquals(first.run(batch), second.run(batch), "step " + step);
      }
      assertEquals(List.of(), SmallTraining.moved(first.state().values(), second.state().values()));
    }
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void aFullPlanTakesTheStepOfTheReference(SmallTraining training) {
    try (TrainStepCell full = training.open(backend(), FULL);
        TrainStepCell reference = training.open(new ReferenceBackend(), EAGER)) {
      Map<Variable, Tensor> start = full.state().snapshot(scope());
      Batch batch = SmallTraining.batch(scope(), 0, 16);
      StepResult got = full.run(batch);
      StepResult want = reference.run(batch);
      assertTrue(want.applied() && got.applied(), got.toString());
      double allowed = StepDistance.allowed(training);
      assertEquals(want.loss(), got.loss(), allowed * want.loss());
      assertEquals(want.gradientNorm(), got.gradientNorm(), allowed * want.gradientNorm());
      double distance =
          StepDistance.largest(start, reference.state().values(), full.state().values());
      assertTrue(distance <= allowed, "distance " + distance);
    }
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void aStepThatOverflowsMovesNothingThatIsGuarded(SmallTraining training) {
    for (Execution execution : List.of(EAGER, PLAIN, FULL)) {
      try (TrainStepCell train = training.open(backend(), execution)) {
        assertTrue(train.run(SmallTraining.batch(scope(), 0, 4)).applied());
        Map<Variable, Tensor> before = train.state().snapshot(scope());
        Batch poisoned = SmallTraining.batch(scope(), 1, 4);
        Tensor x = poisoned.inputs().getFirst();
        Elements.set(x.data(), x.dtype(), 7, Double.POSITIVE_INFINITY);
        StepResult refused = train.run(poisoned);
        assertFalse(refused.applied());
        assertEquals(refused.usedScale() / 2, refused.nextScale());
        List<Variable> moved = SmallTraining.moved(before, train.state().values());
        assertTrue(moved.contains(Variable.seen()) && moved.contains(Variable.scale()));
        assertEquals(List.of(), moved.stream().filter(Variable::guarded).toList());
        assertTrue(train.run(SmallTraining.batch(scope(), 2, 4)).applied());
      }
    }
  }

  @Test
  final void aLabelOutOfRangeIsAnErrorThatMovesNothing() {
    for (Execution execution : List.of(EAGER, PLAIN, FULL)) {
      try (TrainStepCell train = SmallTraining.all().getFirst().open(backend(), execution)) {
        Map<Variable, Tensor> before = train.state().snapshot(scope());
        Batch wrong = SmallTraining.batch(scope(), 1, 4);
        Elements.set(wrong.inputs().getLast().data(), DType.INT64, 2, 5);
        DataException e = assertThrows(DataException.class, () -> train.run(wrong));
        assertTrue(e.problem().message().contains("label 5 in row 2"), e.problem().message());
        assertEquals(List.of(), SmallTraining.moved(before, train.state().values()));
        assertTrue(train.run(SmallTraining.batch(scope(), 0, 4)).applied());
      }
    }
  }

  @Test
  final void twoTrainingsSideBySideDoNotMeet() throws InterruptedException, ExecutionException {
    SmallTraining one = SmallTraining.all().getFirst();
    SmallTraining other = SmallTraining.all().getLast();
    List<StepResult> alone = run(one);
    List<StepResult> otherAlone = run(other);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<List<StepResult>> first = threads.submit(() -> run(one));
      Future<List<StepResult>> second = threads.submit(() -> run(other));
      assertEquals(alone, first.get());
      assertEquals(otherAlone, second.get());
    }
  }

  private List<StepResult> run(SmallTraining training) {
    try (TrainStepCell train = training.open(backend(), FULL)) {
      return IntStream.range(0, 10)
          .mapToObj(step -> train.run(SmallTraining.batch(scope(), step, 8)))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void theReportSaysWhatAPlanTakes(SmallTraining training) {
    try (TrainStepCell train = training.open(backend(), FULL)) {
      PlanReport report = train.loop().report(SmallTraining.batch(scope(), 0, 8).signature());
      assertTrue(report.activationBytes() > 0, report.toString());
      assertTrue(report.peakBytes() >= report.activationBytes(), report.toString());
      assertTrue(report.memory().bound().orElse(report.peakBytes()) <= report.peakBytes());
      assertTrue(report.memory().constants() <= report.peakBytes(), report.toString());
      List<PlannedTask> schedule = report.schedule();
      assertEquals(EnumSet.allOf(StepPart.class), parts(schedule), report.toString());
      assertEquals(StepPart.FORWARD, schedule.getFirst().part());
      assertTrue(schedule.stream().allMatch(task -> task.cost().bytes() > 0), report.toString());
    }
  }

  private static EnumSet<StepPart> parts(List<PlannedTask> schedule) {
    return schedule.stream()
        .map(PlannedTask::part)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(StepPart.class)));
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void theArithmeticIsThatOfTheStepHoweverItIsCompiled(SmallTraining training) {
    try (TrainStepCell train = training.open(backend(), FULL)) {
      List<TensorSpec> signature = SmallTraining.batch(scope(), 0, 8).signature();
      long flops = Arithmetic.flops(train.loop().trace(signature));
      assertTrue(flops > 0);
      assertEquals(flops, train.loop().report(signature).flops());
    }
  }

  @ParameterizedTest
  @MethodSource("trainings")
  final void aPlanThatIsWatchedTellsOfItsTasksInOrderAndComputesTheSame(SmallTraining training) {
    List<String> told = new ArrayList<>();
    TaskWatch watch =
        new TaskWatch() {
          @Override
          public void began() {
            told.add("began");
          }

          @Override
          public void ended(int task) {
            told.add(String.valueOf(task));
          }
        };
    if (!backend().watchesTasks()) {
      assertThrows(UsageException.class, () -> loss(training, (p, in) -> p.run(in, watch)));
      return;
    }
    List<Tensor> alone = loss(training, Plan::run);
    List<Tensor> watched = loss(training, (plan, inputs) -> plan.run(inputs, watch));
    assertTrue(alone.getFirst().sameBits(watched.getFirst()));
    List<String> expected = new ArrayList<>(List.of("began"));
    IntStream.range(0, told.size() - 1).mapToObj(String::valueOf).forEach(expected::add);
    assertEquals(expected, told);
    assertTrue(told.size() > 10, told.toString());
  }

  private List<Tensor> loss(
      SmallTraining training, BiFunction<Plan, List<Tensor>, List<Tensor>> run) {
    try (TrainStepCell train = training.open(backend(), FULL)) {
      Batch batch = SmallTraining.batch(scope(), 0, 8);
      Graph graph = train.loop().trace(batch.signature());
      try (Plan plan =
          backend().compile(graph, train.state(), PlanOptions.FULL, Collective.single())) {
        return run.apply(plan, batch.tensors()).stream().map(scope()::copy).toList();
      }
    }
  }
}
