package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is described is refused where it is wrong, or trained. */
final class RandomSpecificationsTest {
  @Test
  void eachOfTheFirstIsRefusedWithAPointerOrTrainedForAStep() {
    eachIsRefusedWithAPointerOrTrainedForAStep(20);
  }

  @Test
  @Tag("slow")
  void eachOf200IsRefusedWithAPointerOrTrainedForAStep() {
    eachIsRefusedWithAPointerOrTrainedForAStep(200);
  }

  private static void eachIsRefusedWithAPointerOrTrainedForAStep(int count) {
    int trained = 0;
    try (Backend backend = Backends.open("cpu")) {
      for (int seed = 0; seed < count; seed++) {
        String json = new RandomJson(seed).specification();
        List<Problem> problems = JobSpecification.problems(json);
        for (Problem problem : problems) {
          assertTrue(problem.where().startsWith("/"), () -> problem.message() + " of " + json);
        }
        if (problems.isEmpty() && trains(JobSpecification.ofJson(json), backend)) {
          trained++;
        }
      }
    }
    assertTrue(trained > count / 10 && trained < count * 9 / 10, trained + " were trained");
  }

  /**
   * A number of an optimizer that parameters in half cannot hold is found where the train cell is
   * built, and not before.
   */
  private static boolean trains(JobSpecification specification, Backend backend) {
    try {
      StepResult result = step(specification, backend);
      assertTrue(Double.isFinite(result.loss()) || result.overflow(), specification::json);
      return true;
    } catch (ArgumentException e) {
      assertTrue(new Assembly(specification).storage().half(), e::toString);
      return false;
    }
  }

  private static StepResult step(JobSpecification specification, Backend backend) {
    Assembly parts = new Assembly(specification.resolved());
    assertFalse(parts.steps().isEmpty());
    try (TrainStepCell train =
            Amp.buildTrainNetwork(
                parts.network().build(),
                new SoftmaxCrossEntropyLoss(),
                parts.optimizer(64),
                parts.level(),
                parts.options().backend(backend));
        TensorScope scope = TensorScope.open()) {
      int rows = parts.batchSize();
      TensorSpec sample = parts.network().sample();
      Tensor images = scope.allocate(sample.as(sample.shape().behind(rows)));
      Tensor labels = scope.allocate(TensorSpec.of(DType.INT64, rows));
      Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, rows));
      return train.run(new Batch(List.of(images, labels), samples));
    }
  }
}
