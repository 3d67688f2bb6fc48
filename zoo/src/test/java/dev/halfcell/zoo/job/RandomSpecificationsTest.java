package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Whatever is described is refused where it is wrong, or trained. */
final class RandomSpecificationsTest {
  private static final JsonNode NONE = StrictTree.ofJson("[]");

  @Test
  void eachOfTheFirstIsRefusedWithAPointerOrTrainedForAStep() {
    eachIsRefusedWithAPointerOrTrainedForAStep(20);
  }

  @Test
  @Tag("slow")
  void eachOf200IsRefusedWithAPointerOrTrainedForAStep() {
    eachIsRefusedWithAPointerOrTrainedForAStep(200);
  }

  /** A key that is new is drawn by being in the schema. */
  @Test
  void the200DrawEveryKeyOfTheSchema() {
    Set<String> keys = new TreeSet<>(SchemaDraws.keys().keySet());
    Set<String> cellKeys = new TreeSet<>();
    SchemaDraws.cells()
        .forEach(
            (name, cell) ->
                cell.get("properties").forEachEntry((key, _) -> cellKeys.add(name + "/" + key)));
    for (int turn = 0; turn < 200; turn++) {
      JsonNode job = StrictTree.ofJson(RandomJson.specification(turn));
      keys.removeIf(pointer -> !job.at(pointer).isMissingNode());
      for (JsonNode cell : job.path("network").isArray() ? job.get("network") : NONE) {
        String name = cell.path("cell").asString("");
        cell.propertyNames().forEach(key -> cellKeys.remove(name + "/" + key));
      }
    }
    assertEquals(Set.of(), keys);
    assertEquals(Set.of(), cellKeys);
  }

  private static void eachIsRefusedWithAPointerOrTrainedForAStep(int count) {
    int trained = 0;
    try (Backend backend = Backends.open("cpu")) {
      for (int seed = 0; seed < count; seed++) {
        String json = RandomJson.specification(seed);
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
