package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Execution;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dropping every rounding to half stays within what is allowed for half, and not for FP32. */
final class StepDistanceTest {
  @ParameterizedTest
  @MethodSource("dev.halfcell.testkit.SmallTraining#all")
  void roundingsAreToldFromFaults(SmallTraining training) {
    SmallTraining full = SmallTraining.all().getFirst();
    try (TensorScope scope = TensorScope.open();
        TrainStepCell half = training.open(new ReferenceBackend(), new Execution.Eager());
        TrainStepCell exact = full.open(new ReferenceBackend(), new Execution.Eager())) {
      Map<Variable, Tensor> start = exact.state().snapshot(scope);
      half.run(SmallTraining.batch(scope, 0, 16));
      exact.run(SmallTraining.batch(scope, 0, 16));
      double distance = StepDistance.largest(start, exact.state().values(), half.state().values());
      assertTrue(distance <= StepDistance.allowed(training), training + ": " + distance);
      assertTrue(
          training.equals(full) || distance > StepDistance.allowed(full),
          training + ": " + distance);
    }
  }
}
