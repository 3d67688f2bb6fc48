package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.data.DataFingerprint;
import dev.halfcell.data.DataSet;
import dev.halfcell.nn.Dense;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a checkpoint is refused for: what decides the model, and nothing else. */
final class RunIdentityTest {
  private static final JobSpecification JOB =
      JobSpecification.of("lenet5").with("/name", "a run").with("/resources/threads", 1);

  /** Two samples of this number each. */
  private record Numbers(double value) implements DataSet {
    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public int size() {
      return 2;
    }

    @Override
    public int classes() {
      return 2;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      Elements.set(batch.get(0).data(), DType.FP32, row, value);
      Elements.set(batch.get(1).data(), DType.INT64, row, index);
    }
  }

  private static Map<String, String> identity(
      JobSpecification job, Level level, double train, double test) {
    PrecisionPlan plan = PrecisionPlan.of(new Dense(2, 2), level, PrecisionOptions.defaults());
    DataSplit data = new DataSplit("numbers", new Numbers(train), new Numbers(test));
    return RunIdentity.of(job, plan, data);
  }

  private static Map<String, String> identity(JobSpecification job) {
    return identity(job, Level.O0, 1, 2);
  }

  /** The keys in which two differ. */
  private static Set<String> differences(Map<String, String> one, Map<String, String> other) {
    Map<String, String> differing = new HashMap<>(one);
    differing.entrySet().removeIf(each -> each.getValue().equals(other.get(each.getKey())));
    Set<String> keys = new TreeSet<>(other.keySet());
    keys.removeAll(one.keySet());
    keys.addAll(differing.keySet());
    return keys;
  }

  @Test
  void itIsEveryKeyThatDecidesTheModelAndTheDataAndThePlan() {
    assertEquals(Set.of("/network/name", "data", "precision plan"), identity(JOB).keySet());
    assertEquals("\"lenet5\"", identity(JOB).get("/network/name"));
    assertEquals(DataFingerprint.of(new Numbers(1)), identity(JOB).get("data"));
    assertTrue(identity(JOB).getOrDefault("precision plan", "none").matches("[0-9a-f]{64}"));
  }

  @Test
  void eachValueThatDecidesHasItsPointer() {
    JobSpecification other =
        JOB.with("/training/seed", 5)
            .with("/training/optimizer/learningRate", 0.5)
            .with("/precision/level", "O2")
            .with("/dataset/name", "fashion-mnist");
    assertEquals(
        Set.of(
            "/training/seed",
            "/training/optimizer/learningRate",
            "/precision/level",
            "/dataset/name"),
        differences(identity(JOB), identity(other)));
  }

  @Test
  void whenWhereAndForWhomARunIsDecidesNothing() {
    JobSpecification other =
        JOB.with("/name", "another")
            .with("/resources/threads", 2)
            .with("/checkpoint/everySteps", 1)
            .with("/logs", List.of("csv"))
            .with("/device", "cpu")
            .with("/labels", Map.of("a", "b"))
            .with("/priority", 3);
    assertEquals(identity(JOB), identity(other));
  }

  @Test
  void anotherPlanOfTheSameLevelIsAnotherRun() {
    assertEquals(
        Set.of("precision plan"), differences(identity(JOB), identity(JOB, Level.O3, 1, 2)));
  }

  /** Whatever digits the user's language has: a run can be resumed in another one. */
  @Test
  void aPlanIsTheSameRunInAllLanguages() {
    Map<String, String> expected = identity(JOB, Level.O2, 1, 2);
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.of("fa", "IR"));
    try {
      assertEquals(expected, identity(JOB, Level.O2, 1, 2));
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void otherTrainingDataIsAnotherRunAndOtherTestDataIsWhereEpochsAreMeasuredOnIt() {
    assertEquals(Set.of("data"), differences(identity(JOB), identity(JOB, Level.O0, 3, 2)));
    assertEquals(identity(JOB), identity(JOB, Level.O0, 1, 3));
    JobSpecification measuring = JOB.with("/training/evaluation", 1);
    Map<String, String> measured = identity(measuring);
    assertEquals(DataFingerprint.of(new Numbers(2)), measured.get("test data"));
    assertNotEquals(measured, identity(measuring, Level.O0, 1, 3));
    assertEquals(Set.of("test data"), differences(measured, identity(measuring, Level.O0, 1, 3)));
  }
}
