package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepBuilderTest {
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);

  @Test
  void anOwnLoopWithTwoGroupsIsTheStandardStep() {
    Cell net = network();
    Optimizer optimizer = new Sgd(0.01);
    Recipe twoGroups =
        (step, inputs) -> {
          Tensor loss = step.forward(net, inputs.toArray(Tensor[]::new));
          Map<Variable, Tensor> head = new LinkedHashMap<>(step.unscaledGradients(loss));
          Map<Variable, Tensor> body = new LinkedHashMap<>(head);
          body.keySet().removeIf(parameter -> parameter.path().text().startsWith("/1"));
          head.keySet().removeAll(body.keySet());
          step.applyGradients(optimizer, body);
          step.applyGradients(optimizer, head);
          return loss;
        };
    List<StepResult> own = train(net, optimizer, twoGroups);
    assertEquals(train(net, optimizer, Recipe.standard(net, optimizer)), own);
    assertTrue(own.getLast().loss() < own.getFirst().loss());
  }

  /** loss = mean((x w - 0)²) with one weight: d/dw = 2 w mean(x²). */
  @Test
  void theGradientNormIsTheOneOfTheUnscaledGradients() {
    Cell net = new WithLossCell(new Times(3), new MSELoss());
    Recipe recipe = Recipe.standard(net, new Sgd(0.01));
    TrainStep step = new TrainStep(net, PrecisionRules.none(), LossScale.fixed(512), recipe);
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, new Sgd(0.01), 1);
        TrainLoop loop = new TrainLoop(step, state, new ReferenceBackend(), PLAIN)) {
      TensorSpec two = TensorSpec.of(DType.FP32, 2);
      Batch batch =
          new Batch(
              List.of(Tensor.of(scope, two, 1, 2), scope.allocate(two)),
              scope.allocate(TensorSpec.of(DType.INT64, 2)));
      StepResult result = loop.step(batch);
      assertEquals(22.5, result.loss());
      assertEquals(15, result.gradientNorm());
      assertEquals(512, result.usedScale());
      assertEquals(1, state.read(Variable.applied()).item());
    }
  }

  @Test
  void aParameterThatTheLossDoesNotReachIsNamed() {
    Cell idle =
        new Cell() {
          private final Parameter unused = parameter("unused", new Initializer.Constant(1), 2);
          private final Cell body = child("body", new Dense(3, 2));

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            f.read(unused);
            return f.call(body, in);
          }
        };
    Cell net = new WithLossCell(idle, new MSELoss());
    UsageException e =
        assertThrows(
            UsageException.class,
            () -> train(net, new Sgd(0.1), Recipe.standard(net, new Sgd(0.1))));
    assertEquals("/unused", e.problem().where());
  }

  @Test
  void aLossThatIsNotReducedIsNoneToTrainOn() {
    Cell net = new WithLossCell(new Dense(3, 2), new MSELoss(LossReduction.NONE));
    Optimizer optimizer = new Sgd(0.1);
    for (Accumulation accumulation : List.of(Accumulation.none(), Accumulation.of(2))) {
      UsageException e =
          assertThrows(
              UsageException.class,
              () -> train(net, optimizer, Recipe.standard(net, optimizer), accumulation));
      assertEquals("a scalar loss", e.problem().expected());
      assertTrue(e.problem().fix().contains("MEAN or SUM"), e.problem().fix());
    }
  }

  @Test
  void anOwnRecipeTakesOneBatchToAStep() {
    Cell net = network();
    Recipe own =
        (step, inputs) -> {
          Tensor loss = step.forward(net, inputs.getFirst());
          step.applyGradients(new Sgd(0.1), step.unscaledGradients(loss));
          return loss;
        };
    assertThrows(
        UsageException.class,
        () -> new TrainStep(net, PrecisionRules.none(), LossScale.none(), own, Accumulation.of(2)));
  }

  private static Cell network() {
    return new WithLossCell(new Sequential(new Dense(3, 4), new Dense(4, 2)), new MSELoss());
  }

  private static List<StepResult> train(Cell net, Optimizer optimizer, Recipe recipe) {
    return train(net, optimizer, recipe, Accumulation.none());
  }

  private static List<StepResult> train(
      Cell net, Optimizer optimizer, Recipe recipe, Accumulation accumulation) {
    TrainStep step =
        new TrainStep(net, PrecisionRules.none(), LossScale.none(), recipe, accumulation);
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, optimizer, 1);
        TrainLoop loop = new TrainLoop(step, state, new ReferenceBackend(), PLAIN)) {
      Batch batch =
          new Batch(
              List.of(
                  Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 3), 1, -2, 3, 0.5, 1, -1),
                  Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 2), 1, 0, 0, 1)),
              scope.allocate(TensorSpec.of(DType.INT64, 2)));
      return List.of(loop.step(batch), loop.step(batch), loop.step(batch));
    }
  }

  /** x times one weight: [N] to [N], by way of a matrix product. */
  private static final class Times extends Cell {
    private final Parameter weight;

    Times(double value) {
      weight = parameter("weight", new Initializer.Constant(value), 1, 1);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      int n = in[0].spec().dim(0);
      Tensor column = f.ops().reshape(in[0], Shape.of(n, 1));
      return f.ops().reshape(f.ops().dense(column, f.read(weight)), Shape.of(n));
    }
  }
}
