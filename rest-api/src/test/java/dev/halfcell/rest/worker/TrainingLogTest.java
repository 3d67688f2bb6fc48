package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands in the log of a job. */
final class TrainingLogTest {
  private final List<String> lines = new ArrayList<>();
  private final TrainingLog log = new TrainingLog(lines::add);

  @Test
  void aReaderSeesWhereATrainingWasAndHowItEnded() {
    log.begins(0);
    log.on(new TrainEvent.EpochStarted(1, 2, 10));
    log.on(
        new TrainEvent.StepTaken(
            10, 1, 32, new StepResult(0.5, false, 1024, 1024, true, 1), 0.1, 100, 0));
    log.on(new TrainEvent.BackendNoticed("without a library"));
    log.on(new TrainEvent.EpochEnded(1, 0.75, 320, 1, 2.25));
    log.on(new TrainEvent.EpochMeasured(1, Map.of("test_accuracy", 0.9)));
    log.ends(new FromWorker.Stopped(10, "step-000000000010.safetensors"));
    log.begins(10);
    log.ends(new FromWorker.Completed(20));
    assertEquals(
        List.of(
            "the training begins",
            "epoch 1 of 2 begins, 10 batches",
            "without a library",
            "epoch 1 ended after step 10: mean loss 0.750000, 1 steps refused, 2.3 s",
            "epoch 1 measured: test_accuracy 0.900000",
            "the training was stopped after step 10; its state is in step-000000000010.safetensors",
            "the training goes on after step 10",
            "the training is complete after step 20"),
        lines);
  }
}
