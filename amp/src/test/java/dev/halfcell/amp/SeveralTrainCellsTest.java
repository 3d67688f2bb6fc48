package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variable.Kind;
import dev.halfcell.nn.BCEWithLogitsLoss;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Named;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A generator and a discriminator, each with its train cell, on one state. */
class SeveralTrainCellsTest {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final TensorSpec POINTS = TensorSpec.of(DType.FP32, 4, 2);
  private static final TensorSpec ANSWERS = TensorSpec.of(DType.FP32, 4, 1);

  private final TensorScope scope = TensorScope.open();
  private final Cell generator = new Sequential(new Dense(2, 8), new ReLU(), new Dense(8, 2));
  private final Cell discriminator = new Sequential(new Dense(2, 8), new ReLU(), new Dense(8, 1));
  private final Map<String, Cell> both =
      Map.of("generator", generator, "discriminator", discriminator);

  @AfterEach
  void close() {
    scope.close();
  }

  /** What the discriminator says of what the generator makes; the generator is to be believed. */
  private static final class Believed extends Cell {
    private final Cell generator;
    private final Cell discriminator;
    private final Cell loss = child("loss_fn", new BCEWithLogitsLoss());

    Believed(Cell generator, Cell discriminator) {
      this.generator = child("generator", generator);
      this.discriminator = child("discriminator", discriminator);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.call(loss, f.call(discriminator, f.call(generator, in[0])), in[1]);
    }
  }

  private static AmpOptions options(TrainState state, Execution execution) {
    return AmpOptions.defaults()
        .backend(new ReferenceBackend())
        .execution(execution)
        .state(state)
        .lossScale(LossScale.dynamic().from(256));
  }

  private TrainStepCell judging(AmpOptions options) {
    return Amp.buildTrainNetwork(
        new Named("discriminator", discriminator),
        new BCEWithLogitsLoss(),
        new Adam(0.05),
        Level.O2,
        options.name("discriminator"));
  }

  private TrainStepCell making(AmpOptions options) {
    Optimizer own = new Adam(0.02).groups(ParameterGroup.of("/discriminator/**").frozen());
    return Amp.buildTrainNetwork(
        new Believed(generator, discriminator), own, Level.O2, options.name("generator"));
  }

  private Tensor points(double first) {
    return Tensor.of(scope, POINTS, first, 1, 1, 0.5, 0.75, 1, 1, 1);
  }

  private Tensor answers(double value) {
    return Tensor.of(scope, ANSWERS, value, value, value, value);
  }

  private static double of(TrainState state, String name, String what, Kind kind) {
    return state.read(new Variable(kind, CellPath.STEP.child(name).child(what))).item();
  }

  private static Set<String> networks(Set<Variable> moved) {
    return moved.stream()
        .filter(variable -> variable.kind() == Kind.PARAMETER)
        .map(variable -> variable.path().text().split("/", -1)[1])
        .collect(Collectors.toSet());
  }

  @Test
  void eachMovesItsOwnNetworkAndKeepsItsOwnScaleAndCounters() {
    try (TrainState state = TrainState.of(both, 3);
        TrainStepCell judge = judging(options(state, PLAIN));
        TrainStepCell maker = making(options(state, PLAIN))) {
      Map<Variable, Tensor> start = state.snapshot(scope);
      assertTrue(judge.run(points(1), answers(1)).applied());
      Map<Variable, Tensor> judged = state.snapshot(scope);
      assertEquals(Set.of("discriminator"), networks(Points.moved(start, judged)));
      assertTrue(maker.run(points(0.25), answers(1)).applied());
      assertEquals(Set.of("generator"), networks(Points.moved(judged, state.values())));

      Tensor bad = points(1);
      Elements.set(bad.data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
      StepResult refused = judge.run(bad, answers(1));
      assertEquals(128, refused.nextScale());
      assertEquals(128, of(state, "discriminator", "loss_scale", Kind.SCALE));
      assertEquals(256, of(state, "generator", "loss_scale", Kind.SCALE));
      assertEquals(1, of(state, "discriminator", "applied", Kind.APPLIED));
      assertEquals(2, of(state, "discriminator", "seen", Kind.SEEN));
      assertEquals(1, of(state, "discriminator", "refused", Kind.REFUSED));
      assertEquals(1, of(state, "generator", "seen", Kind.SEEN));
      assertEquals(0, of(state, "generator", "refused", Kind.REFUSED));
      assertEquals(128, judge.loop().own().read(Variable.scale()).item());
      assertFalse(state.values().containsKey(Variable.scale()));
    }
  }

  @Test
  void aScaleUnderOneNameIsShared() {
    try (TrainState state = TrainState.of(both, 3);
        TrainStepCell judge = judging(options(state, PLAIN).scaleName("gan"));
        TrainStepCell maker = making(options(state, PLAIN).scaleName("gan"))) {
      Tensor bad = points(1);
      Elements.set(bad.data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
      assertEquals(256, maker.run(bad, answers(1)).usedScale());
      assertEquals(128, judge.run(points(1), answers(1)).usedScale());
      assertEquals(128, of(state, "gan", "loss_scale", Kind.SCALE));
      assertEquals(1, of(state, "generator", "seen", Kind.SEEN));
      assertEquals(1, of(state, "discriminator", "seen", Kind.SEEN));
    }
  }

  @Test
  void eagerAndPlanHaveTheSameBitsAndACheckpointHoldsBoth() throws IOException {
    Path file = Files.createTempFile("gan", ".safetensors");
    try (TrainState one = TrainState.of(both, 3);
        TrainState two = TrainState.of(both, 3);
        TrainStepCell judgeOne = judging(options(one, EAGER));
        TrainStepCell makerOne = making(options(one, EAGER));
        TrainStepCell judgeTwo = judging(options(two, PLAIN));
        TrainStepCell makerTwo = making(options(two, PLAIN))) {
      for (int i = 0; i < 4; i++) {
        assertEquals(
            judgeOne.run(points(i), answers(1)), judgeTwo.run(points(i), answers(1)), "step " + i);
        assertEquals(makerOne.run(points(-i), answers(1)), makerTwo.run(points(-i), answers(1)));
        if (i == 1) {
          Checkpoint.write(one, file);
        }
      }
      assertTrue(Points.sameBits(one.values(), two.values()));
      Checkpoint.read(two, file);
      for (int i = 2; i < 4; i++) {
        judgeTwo.run(points(i), answers(1));
        makerTwo.run(points(-i), answers(1));
      }
      assertTrue(Points.sameBits(one.values(), two.values()));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void aPlateauOfItsOwnIsKeptUnderTheName() {
    Schedule plateau = new Plateau(0.5);
    try (TrainState state = TrainState.of(both, 3);
        TrainStepCell judge =
            Amp.buildTrainNetwork(
                new Named("discriminator", discriminator),
                new BCEWithLogitsLoss(),
                new Sgd(plateau, 0),
                Level.O0,
                options(state, PLAIN).name("judge"))) {
      assertTrue(judge.run(points(1), answers(1)).applied());
      assertEquals(1, of(state, "judge", "rate_factor", Kind.PLATEAU));
    }
  }

  @Test
  void aNameHasNoSlash() {
    assertThrows(ArgumentException.class, () -> AmpOptions.defaults().name("a/b"));
    assertThrows(ArgumentException.class, () -> AmpOptions.defaults().scaleName("a/b"));
  }
}
