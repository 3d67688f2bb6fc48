package dev.halfcell.zoo.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.FashionMnist;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrajectoryRowTest {
  private static final Deviations BOUNDS = new Deviations(1e-4, 1e-4, 1e-3);

  /** Steps of a network from its own start; what it wants does not matter to who steps. */
  private static Trajectory trajectory(String name, double rate, TensorScope scope) {
    NetworkDefinition network = Networks.named(name);
    Momentum optimizer = new Momentum(new Schedule.Constant(rate), 0.9, false, 0);
    try (TrainState state = TrainState.of(network.build(), optimizer, 1)) {
      List<Tensor> start =
          state.values().entrySet().stream()
              .filter(entry -> entry.getKey().kind() == Variable.Kind.PARAMETER)
              .map(entry -> scope.copy(entry.getValue()))
              .toList();
      List<Double> wanted = List.of(1.0, 1.0, 1.0, 1.0);
      return new Trajectory(network, optimizer, 4, 0, start, wanted, wanted);
    }
  }

  private static TrajectoryRun run(Trajectory trajectory, Backend backend) {
    DataSplit data =
        FashionMnist.open(
            Optional.of(resource("first-images").toString()), trajectory.network().sample());
    return new TrajectoryRun(trajectory, data.train(), backend);
  }

  private static Path resource(String name) {
    try {
      return Path.of(Objects.requireNonNull(TrajectoryRowTest.class.getResource(name)).toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static List<String> labels(Trajectory trajectory, Backend backend) {
    return TrajectoryRow.of(trajectory, backend).stream().map(TrajectoryRow::label).toList();
  }

  @Test
  void onlyANetworkWithBatchNormalisationMagnifiesRounding() {
    try (TensorScope scope = TensorScope.open()) {
      assertTrue(trajectory("resnet8", 0.05, scope).magnifiesRounding());
      assertFalse(trajectory("lenet5", 0.05, scope).magnifiesRounding());
    }
  }

  @Test
  void whatMagnifiesRoundingIsHeldStepByStepBesides() {
    try (TensorScope scope = TensorScope.open();
        Backend reference = new ReferenceBackend();
        Backend cpu = Backends.open("cpu")) {
      Trajectory resnet = trajectory("resnet8", 0.05, scope);
      List<String> levels = List.of("O0", "O2 fp16", "O2 bf16");
      assertEquals(levels, labels(trajectory("lenet5", 0.05, scope), cpu));
      assertEquals(levels, labels(resnet, reference));
      assertEquals(
          List.of(
              "O0",
              "O2 fp16",
              "O2 bf16",
              "O0 step by step",
              "O2 fp16 step by step",
              "O2 bf16 step by step"),
          labels(resnet, cpu));
    }
  }

  @Test
  void eachStepBeginsWhereTheReferenceEndedTheOneBefore() {
    try (TensorScope scope = TensorScope.open();
        Backend cpu = Backends.open("cpu")) {
      Trajectory trajectory = trajectory("resnet8", 0.5, scope);
      TrajectoryRun run = run(trajectory, cpu);
      for (TrajectoryRow row : TrajectoryRow.of(trajectory, cpu).subList(3, 6)) {
        Deviations deviations = row.deviations(run);
        assertTrue(deviations.worstWithin(row.bounds()).allowed(), row.label() + deviations);
      }
    }
  }

  @Test
  void theFirstStepKeepsItsBoundsWhereLaterOnesAreWidened() {
    Deviations widened = BOUNDS.widened(0.03, 0.1);
    assertTrue(new Deviations(9e-5, 0.02, 0.01, 9e-4, 0.09).worstWithin(widened).allowed());
    assertFalse(new Deviations(2e-4, 0.02, 0.01, 9e-4, 0.09).worstWithin(widened).allowed());
    assertFalse(new Deviations(9e-5, 0.02, 0.01, 2e-3, 0.09).worstWithin(widened).allowed());
    assertFalse(new Deviations(9e-5, 0.04, 0.01, 9e-4, 0.09).worstWithin(widened).allowed());
    assertFalse(new Deviations(9e-5, 0.02, 0.04, 9e-4, 0.09).worstWithin(widened).allowed());
    assertFalse(new Deviations(9e-5, 0.02, 0.01, 9e-4, 0.2).worstWithin(widened).allowed());
  }

  @Test
  void deviationsAreRelativeAndNoNumberIsTooFar() {
    List<StepResult> wanted = List.of(step(2, 4), step(1, 1));
    Deviations deviations = Deviations.of(wanted, List.of(step(2.002, 4), step(1.1, 0.8)));
    assertEquals(0.001, deviations.firstLoss(), 1e-12);
    assertEquals(0.1, deviations.worstLoss(), 1e-12);
    assertEquals(0.0505, deviations.meanLoss(), 1e-12);
    assertEquals(0, deviations.firstNorm());
    assertEquals(0.2, deviations.worstNorm(), 1e-12);
    Deviations none = Deviations.of(wanted, List.of(step(2, 4), step(Double.NaN, 1)));
    assertFalse(none.worstWithin(BOUNDS).allowed());
  }

  private static StepResult step(double loss, double norm) {
    return new StepResult(loss, false, 1, 1, true, norm);
  }
}
