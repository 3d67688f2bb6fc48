package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.Executor;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Execution;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.train.ParameterStorage;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepRules;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.diagnosis.Trap;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** What an own loop makes of each option: it does what a train cell does, or refuses it. */
class OwnLoopOptionsTest {
  private static final Momentum MOMENTUM = new Momentum(0.1, 0.9);

  /** What holds other options: all of the numerics are in the plan, and some are asked about. */
  private static final Set<String> PARTS = Set.of("numerics", "rules", "diagnosis");

  /** A change of each option that a train cell honours too; by the option's name. */
  private static Map<String, UnaryOperator<AmpOptions>> honoured() {
    Map<String, UnaryOperator<AmpOptions>> all = new LinkedHashMap<>();
    all.put("halfAsked", o -> o.half(DType.BF16));
    all.put("keepBatchNormFp32", o -> o.keepBatchNormFp32(false));
    all.put("castModelType", o -> o.castModelType(DType.FP32));
    all.put("lists", o -> o.lists(lists -> lists.deny("Dense")));
    all.put("parts", o -> o.part("/0", DType.FP32));
    all.put("getter", o -> o.getter((_, value, ops) -> ops.add(value, value)));
    all.put("castOverflow", o -> o.castOverflow(CastOverflow.SATURATE));
    all.put("stochasticRounding", o -> o.stochasticRounding(true));
    all.put("halfParameters", o -> o.halfParameters(true).stochasticRounding(true));
    all.put("acceptSwamping", o -> o.halfParameters(true).acceptSwamping(true));
    all.put("stableStatistics", o -> o.stableStatistics(true));
    all.put("partials", o -> o.partials(DType.FP16));
    all.put("lossScale", o -> o.lossScale(LossScale.fixed(8)));
    all.put("accumulation", o -> o.accumulation(2));
    all.put("overflow", o -> o.overflowPolicy(OverflowPolicy.fail()));
    all.put("nanLossIsOverflow", o -> o.rules(rules -> rules.nanLossIsOverflow(false)));
    all.put("maxConsecutiveOverflows", o -> o.rules(rules -> rules.maxConsecutiveOverflows(1)));
    all.put("maxHopelessSteps", o -> o.rules(rules -> rules.maxHopelessSteps(2)));
    all.put("ema", o -> o.ema(0.5));
    all.put("name", o -> o.name("own"));
    all.put("sharedScale", o -> o.scaleName("shared"));
    all.put("execution", o -> o.execution(new Execution.Eager()));
    all.put("firstOffender", o -> o.diagnosis(Diagnosis.on()));
    all.put("traps", o -> o.diagnosis(Diagnosis.off().stoppingAt(Trap.INV)));
    all.put("collective", o -> o.collective(new Twin()));
    return all;
  }

  /** What an own loop refuses, with words of the error. */
  private static Map<String, Map.Entry<UnaryOperator<AmpOptions>, String>> refused() {
    return Map.of(
        "demotion", Map.entry(o -> o.demotion(1, 1), "own loop"),
        "seedAsked", Map.entry(o -> o.seed(8), "seed of the state"));
  }

  @Test
  void eachOptionIsAskedAbout() {
    Set<String> options = new TreeSet<>(Set.of("state", "backend"));
    options.addAll(honoured().keySet());
    options.addAll(refused().keySet());
    Set<String> members = new TreeSet<>();
    Stream.of(
            PrecisionOptions.class,
            StepOptions.class,
            StepRules.class,
            RunOptions.class,
            Diagnosis.class)
        .flatMap(part -> Arrays.stream(part.getRecordComponents()))
        .map(RecordComponent::getName)
        .filter(name -> !PARTS.contains(name))
        .forEach(members::add);
    members.removeAll(options);
    assertEquals(Set.of(), members);
  }

  private static Cell network() {
    return new WithLossCell(Points.network(), new SoftmaxCrossEntropyLoss());
  }

  private static AmpOptions changed(UnaryOperator<AmpOptions> change) {
    return change.apply(
        AmpOptions.defaults()
            .backend(new ReferenceBackend())
            .execution(new Execution.Planned(PlanOptions.PLAIN)));
  }

  private static TrainState state(Cell net, AmpOptions options) {
    PrecisionOptions precision = options.precision();
    return TrainState.of(
        net, 7, precision.numerics().storage(precision.half()).orElse(ParameterStorage.full()));
  }

  /** What can be seen of a training: the graph, results or errors of steps, values, execution. */
  private record Observed(
      List<String> graph, List<String> steps, Map<Variable, List<Double>> values, String way) {
    static Observed of(TrainLoop loop) {
      List<String> steps = new ArrayList<>();
      try (TensorScope scope = TensorScope.open()) {
        for (int i = 0; i < 4; i++) {
          Batch batch = Points.batch(scope, i, 8);
          if (i == 1 || i == 2) {
            Elements.set(batch.inputs().getFirst().data(), DType.FP32, 0, Double.NaN);
          }
          steps.add(step(loop, batch));
        }
        List<String> graph =
            loop.trace(Points.batch(scope, 0, 8).signature()).nodes().stream()
                .map(Graph.Node::toString)
                .toList();
        Map<Variable, List<Double>> values = new LinkedHashMap<>();
        loop.state()
            .values()
            .forEach((v, value) -> values.put(v, Arrays.stream(value.toArray()).boxed().toList()));
        return new Observed(graph, steps, values, loop.execution().toString());
      }
    }

    private static String step(TrainLoop loop, Batch batch) {
      try {
        return loop.step(batch).toString();
      } catch (HalfCellException e) {
        return e.problem().message();
      }
    }
  }

  private static Observed ownLoop(UnaryOperator<AmpOptions> change) {
    Cell net = network();
    AmpOptions options = changed(change);
    Recipe recipe = Recipe.standard(net, MOMENTUM);
    try (TrainState state = state(net, options);
        TrainLoop loop = Amp.buildTrainLoop(net, recipe, Level.O2, options.state(state))) {
      return Observed.of(loop);
    }
  }

  private static Observed trainCell(UnaryOperator<AmpOptions> change) {
    Cell net = network();
    AmpOptions options = changed(change);
    try (TrainState state = state(net, options);
        TrainStepCell train =
            Amp.buildTrainNetwork(net, MOMENTUM, Level.O2, options.state(state))) {
      return Observed.of(train.loop());
    }
  }

  @TestFactory
  Stream<DynamicTest> whatIsHonouredIsSeenAndAsInATrainCell() {
    Observed usual = ownLoop(UnaryOperator.identity());
    return honoured().entrySet().stream()
        .map(
            option ->
                dynamicTest(
                    option.getKey(),
                    () -> {
                      Observed own = ownLoop(option.getValue());
                      assertNotEquals(usual, own);
                      assertEquals(trainCell(option.getValue()), own);
                    }));
  }

  @Test
  void thePlanIsThatOfAllPrecisionOptions() {
    Cell net = network();
    Recipe recipe = Recipe.standard(net, MOMENTUM);
    for (UnaryOperator<AmpOptions> change : honoured().values()) {
      AmpOptions options = changed(change);
      try (TrainState state = state(net, options);
          TrainLoop loop = Amp.buildTrainLoop(net, recipe, Level.O2, options.state(state))) {
        assertEquals(Amp.plan(net, Level.O2, options), loop.step().precision());
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> theOthersAreRefused() {
    return refused().entrySet().stream()
        .map(
            option ->
                dynamicTest(
                    option.getKey(),
                    () -> {
                      ArgumentException e =
                          assertThrows(
                              ArgumentException.class, () -> ownLoop(option.getValue().getKey()));
                      String said = e.problem().message();
                      assertTrue(said.contains(option.getValue().getValue()), said);
                    }));
  }

  /** Counts what it is asked to compile. */
  private record Counting(Backend inner, AtomicInteger compiled) implements Backend {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public Capabilities capabilities() {
      return inner.capabilities();
    }

    @Override
    public Executor eager(TensorScope scope) {
      return inner.eager(scope);
    }

    @Override
    public Plan compile(Graph graph, Variables state, PlanOptions plan, Collective collective) {
      compiled.incrementAndGet();
      return inner.compile(graph, state, plan, collective);
    }

    @Override
    public PlanReport measure(Graph graph, PlanOptions plan) {
      return inner.measure(graph, plan);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Test
  void stateAndBackendAreThoseThatWerePassed() {
    Cell net = network();
    AtomicInteger compiled = new AtomicInteger();
    try (Backend backend = new Counting(new ReferenceBackend(), compiled);
        TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, 7)) {
      AmpOptions options = AmpOptions.defaults().seed(7).state(state).backend(backend);
      assertEquals(7, options.run().seed());
      try (TrainLoop loop =
          Amp.buildTrainLoop(net, Recipe.standard(net, MOMENTUM), Level.O2, options)) {
        assertSame(state, loop.state());
        loop.step(Points.batch(scope, 0, 8));
        assertEquals(1, compiled.get());
      }
    }
  }

  /** Adam's epsilon of 1e-8 is 0 in FP16. An own recipe's optimizers are known when it runs. */
  @Test
  void whatParametersInHalfDemandOfAnOptimizerTheyDemandInAnOwnLoopToo() {
    Cell net = network();
    Adam adam = new Adam(0.1);
    Recipe own =
        (step, in) -> {
          Tensor loss = step.forward(net, in.get(0), in.get(1));
          step.apply(adam, step.gradients(loss));
          return loss;
        };
    AmpOptions options = changed(o -> o.halfParameters(true).stochasticRounding(true));
    try (TensorScope scope = TensorScope.open();
        TrainState state = state(net, options)) {
      AmpOptions half = options.state(state);
      Recipe standard = Recipe.standard(net, adam);
      requireEpsilon(() -> Amp.buildTrainLoop(net, standard, Level.O2, half));
      state.declareSlots(net, adam);
      Map<Variable, Tensor> before = state.snapshot(scope);
      try (TrainLoop loop = Amp.buildTrainLoop(net, own, Level.O2, half)) {
        requireEpsilon(() -> loop.step(Points.batch(scope, 0, 8)));
        before.forEach((v, value) -> assertTrue(value.sameBits(state.read(v)), v.toString()));
      }
    }
  }

  private static void requireEpsilon(Executable use) {
    ArgumentException e = assertThrows(ArgumentException.class, use);
    assertEquals("epsilon", e.problem().subject());
  }
}
