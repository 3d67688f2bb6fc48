package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.disk.Disk;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.diagnosis.Census;
import dev.halfcell.train.diagnosis.Offender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsFileTest {
  private static final String FIRST =
      """
      {"step":1,"epoch":1,"loss":2.5,"scale":8.0,"overflow":false,"applied":true,\
      "next_scale":8.0,"lr":0.01,"step_ms":3.5,"data_wait_ms":0.4375}""";
  private static final String SECOND =
      """
      {"step":2,"epoch":1,"loss":null,"scale":8.0,"overflow":true,"applied":false,\
      "next_scale":4.0,"lr":0.01,"step_ms":4.0,"data_wait_ms":0.5}""";

  @TempDir private Path folder;

  @Test
  void writesALineAStepAndNullForWhatIsNotFinite() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      metrics.on(new TrainEvent.EpochStarted(1, 1, 2));
      metrics.on(Steps.clean(1, 2.5, 3.5));
      metrics.on(Steps.overflow(2, Double.NaN, 4));
    }
    assertEquals(List.of(FIRST, SECOND), Files.readAllLines(file));
  }

  @Test
  void anEpochIsOnDiskWhenItEnds() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      metrics.on(Steps.clean(1, 2.5, 3.5));
      metrics.on(new TrainEvent.EpochEnded(1, 2.5, 10, 0, 1));
      assertEquals(List.of(FIRST), Files.readAllLines(file));
    }
  }

  /** It has no step, so that programs can tell it from those of steps. */
  @Test
  void whatIsMeasuredAfterAnEpochHasALineOnTheDisk() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    Map<String, Double> found = new LinkedHashMap<>();
    found.put("test_accuracy", 0.5);
    found.put("test_loss", Double.NaN);
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      metrics.on(Steps.clean(1, 2.5, 3.5));
      metrics.on(new TrainEvent.EpochEnded(1, 2.5, 10, 0, 1));
      metrics.on(new TrainEvent.EpochMeasured(1, found));
      assertEquals(
          List.of(FIRST, "{\"epoch\":1,\"test_accuracy\":0.5,\"test_loss\":null}"),
          Files.readAllLines(file));
    }
    assertEquals(1, Steps.in(file).size());
  }

  @Test
  void whatFirstWasNotFiniteIsInTheLineOfItsStep() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      metrics.on(offended(Double.NaN));
      metrics.on(offended(Double.POSITIVE_INFINITY));
    }
    String nan =
        """
        {"step":2,"epoch":1,"loss":null,"scale":8.0,"overflow":true,"tries":3,"applied":false,\
        "next_scale":4.0,"first_offender":{"path":"/fc1","op":"Mul","direction":"backward",\
        "dtype":"fp16","shape":"[4]","kind":"nan","min":-1.0,"max":5.960464477539063E-8,"zeros":0.25,\
        "subnormals":0.25,"non_finite":0.25},"lr":0.01,"step_ms":4.0,"data_wait_ms":0.5}""";
    assertEquals(List.of(nan, nan.replace("nan", "inf")), Files.readAllLines(file));
  }

  /** A refused step at whose third try an op gave [-1, 0, 2^-24 in FP16, {@code broken}]. */
  private static TrainEvent.StepTaken offended(double broken) {
    TrainEvent.StepTaken step = Steps.overflow(2, Double.NaN, 4);
    TensorSpec spec = TensorSpec.of(DType.FP16, 4);
    try (TensorScope scope = TensorScope.open()) {
      Census values = Census.of(Tensor.of(scope, spec, -1, 0, 0x1p-24, broken));
      StepResult result =
          new StepResult(
              Double.NaN,
              true,
              8,
              4,
              false,
              Double.NaN,
              Optional.of(
                  new Offender(new CellPath("/fc1"), "Mul", Direction.BACKWARD, spec, values, 2)),
              3);
      return new TrainEvent.StepTaken(
          2, 1, 10, result, step.learningRate(), step.milliseconds(), step.dataWaitMilliseconds());
    }
  }
}
