package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Clip;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All parameters that are moved together go where each would go by itself, to the bit. */
abstract class UpdateAllContract {
  private static final int PARAMETERS = 40;

  private final TensorScope scope = TensorScope.open();
  private GpuBackend gpu;

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @BeforeEach
  final void open() {
    gpu = openBackend();
  }

  @AfterEach
  final void close() {
    gpu.close();
    scope.close();
  }

  static Stream<List<UpdateRule>> rules() {
    SgdRule plain = new SgdRule(0.01);
    MomentumRule decoupled = new MomentumRule(0.9, true, 0.01, true);
    return Stream.of(
        many(plain),
        many(new MomentumRule(0.9, false, 0.01), decoupled),
        many(new AdamRule(0.9, 0.999, 1e-8, 0.01, false), new AdamRule(0.9, 0.99, 1e-6, 0.1, true)),
        many(new RmsPropRule(0.9, 1e-7, 0.5, true, 0.01), new RmsPropRule(0.9, 1e-7, 0, false, 0)),
        many(new AdagradRule(0.1, 1e-7, 0.01), plain, decoupled));
  }

  private static List<UpdateRule> many(UpdateRule... rules) {
    return IntStream.range(0, PARAMETERS).mapToObj(i -> rules[i % rules.length]).toList();
  }

  private Plan compile(ManyParameters state) {
    return gpu.compile(state.step(), state, PlanOptions.PLAIN, Collective.single());
  }

  private static List<String> labels(Plan plan) {
    return plan.report().schedule().stream().map(PlannedTask::label).distinct().toList();
  }

  private void assertMovesAsOpByOp(List<UpdateRule> rules, Optional<Clip> clip, int runs) {
    try (ManyParameters on = new ManyParameters(rules, clip);
        ManyParameters right = new ManyParameters(rules, clip);
        Plan plan = compile(on)) {
      assertEquals(List.of("SoftmaxCrossEntropy", "UpdateAll"), labels(plan));
      for (int run = 0; run < runs; run++) {
        List<Tensor> in = right.inputs(1, 0.5);
        Map<Variable, Tensor> moved = new LinkedHashMap<>();
        List<Tensor> check = right.opByOp(gpu.eager(scope), in, moved);
        List<Tensor> got = plan.run(in);
        assertEquals(check.getFirst().item(), got.getFirst().item(), "finite");
        assertEquals(check.get(1).item(), got.get(1).item(), "norm");
        assertEquals(check.get(2).item(), got.get(2).item(), "what is beside");
        moved.forEach(
            (variable, value) -> {
              assertArrayEquals(value.toArray(), on.read(variable).toArray(), variable.toString());
              right.read(variable).write().copyFrom(value.data());
            });
      }
    }
  }

  /** The third run is that of a graph. */
  @ParameterizedTest
  @MethodSource("rules")
  final void eachRuleMovesAllParametersAsItMovesOne(List<UpdateRule> rules) {
    assertMovesAsOpByOp(rules, Optional.empty(), 3);
  }

  @Test
  final void gradientsAreClippedBeforeTheyMoveAnything() {
    List<UpdateRule> rules = many(new MomentumRule(0.9, false, 0.01));
    assertMovesAsOpByOp(rules, Optional.of(new ClipByNorm(0.7)), 1);
    assertMovesAsOpByOp(rules, Optional.of(new ClipByNorm(1e6)), 1);
    assertMovesAsOpByOp(rules, Optional.of(new ClipByValue(0.1)), 1);
  }

  @Test
  final void oneGradientThatIsNotFiniteKeepsAllParametersWhereTheyAre() {
    List<UpdateRule> rules = many(new MomentumRule(0.9, false, 0));
    try (ManyParameters state = new ManyParameters(rules, Optional.empty());
        ManyParameters before = new ManyParameters(rules, Optional.empty());
        Plan plan = compile(state)) {
      Map<Variable, Tensor> moved = new LinkedHashMap<>();
      var _ = before.opByOp(gpu.eager(scope), before.inputs(1, 0), moved);
      for (double odd : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
        assertEquals(0, plan.run(state.inputs(1, odd)).getFirst().item());
        for (Variable each : moved.keySet()) {
          assertArrayEquals(before.read(each).toArray(), state.read(each).toArray(), each + "");
        }
      }
    }
  }

  /** Finite as all is: the label is no part of what is checked. The third run is a graph's. */
  @Test
  final void aLabelThatIsNoClassKeepsAllParametersWhereTheyAre() {
    List<UpdateRule> rules = many(new MomentumRule(0.9, false, 0));
    try (ManyParameters state = new ManyParameters(rules, Optional.empty());
        Plan plan = compile(state)) {
      Map<Variable, Tensor> moved = new LinkedHashMap<>();
      var _ = state.opByOp(gpu.eager(scope), state.inputs(1, 0), moved);
      for (int run = 0; run < 2; run++) {
        assertEquals(1, plan.run(state.inputs(1, 0)).getFirst().item());
      }
      Map<Variable, double[]> before = new LinkedHashMap<>();
      moved.keySet().forEach(each -> before.put(each, state.read(each).toArray()));
      Tensor finite = plan.run(state.inputs(9, 0)).getFirst();
      assertThrows(DataException.class, finite::item);
      before.forEach(
          (each, there) -> assertArrayEquals(there, state.read(each).toArray(), each + ""));
    }
  }

  /** There is no such kernel for rules that look at the norms of a parameter. */
  @Test
  final void rulesThatLookAtNormsAreRunOneByOne() {
    List<UpdateRule> rules = List.of(new SgdRule(0), new LambRule(0.9, 0.999, 1e-6, 0.01));
    try (ManyParameters state = new ManyParameters(rules, Optional.empty());
        Plan plan = compile(state)) {
      assertEquals(
          List.of("SoftmaxCrossEntropy", "Unscale", "GradientCheck", "SgdRule", "LambRule").stream()
              .sorted()
              .toList(),
          labels(plan).stream().sorted().toList());
      assertEquals(1, plan.run(state.inputs(1, 0)).getFirst().item());
    }
  }
}
