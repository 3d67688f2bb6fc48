package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.BatchNorm1d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.Weights;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that NaN ends has a checkpoint of before, which goes on once the data is well again. */
final class NonFiniteEndTest {
  private static final int STEPS = 40;
  private static final int LAST_GOOD = 3;

  @TempDir private Path folder;

  /** Samples that are NaN while the data is broken. */
  private record Breaking(AtomicBoolean broken) implements DataSet {
    @Override
    public String name() {
      return "breaking";
    }

    @Override
    public int size() {
      return 4 * STEPS;
    }

    @Override
    public int classes() {
      return 2;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 3), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      for (int i = 0; i < 3; i++) {
        double value = broken.get() ? Double.NaN : (index * 5 + i) % 7 / 3.0 - 1;
        Elements.set(batch.get(0).data(), DType.FP32, 3L * row + i, value);
      }
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 2);
    }
  }

  private RunFolder run() {
    return new RunFolder(folder.resolve("run"));
  }

  /** Trains an epoch, from the last checkpoint where there is one; its data breaks on the way. */
  private void train(Backend backend, boolean goesOn, boolean breaks) {
    AtomicBoolean broken = new AtomicBoolean();
    AmpOptions options = AmpOptions.defaults().backend(backend);
    Momentum optimizer = new Momentum(0.05, 0.9);
    Sequential network = new Sequential(new BatchNorm1d(3), new Dense(3, 2));
    try (TrainStepCell cell =
            Amp.buildTrainNetwork(
                network, new SoftmaxCrossEntropyLoss(), optimizer, Level.O2, options);
        BatchCursor batches = new BatchCursor(new Breaking(broken), new Sampler.Shuffled(5), 4)) {
      CheckpointRule rule = CheckpointRule.of(JobSpecification.empty().checkpoint());
      CheckpointedFit fit =
          new CheckpointedFit(
              cell, batches, optimizer.learningRate(), rule, run().checkpoints(2), Map.of());
      Optional<Resumption> from = goesOn ? Optional.of(fit.restore(run())) : Optional.empty();
      if (goesOn) {
        Weights.write(cell.state(), folder.resolve("restored"));
      }
      TrainListener breaking =
          event -> {
            if (breaks
                && event instanceof TrainEvent.StepTaken taken
                && taken.step() == LAST_GOOD) {
              Weights.write(cell.state(), folder.resolve("good"));
              broken.set(true);
            }
          };
      try (RunLogs logs = RunLogs.open(run(), List.of(), from)) {
        var done = fit.fit(1, logs, from, _ -> Map.of(), List.of(breaking), () -> false);
        assertEquals(Optional.empty(), done);
      }
    }
  }

  @Test
  void whatWasLearnedBeforeTheBadStepsIsKeptAndGoesOn() throws IOException {
    Files.createDirectory(run().path());
    try (Backend backend = Backends.open("reference")) {
      assertThrows(NonFiniteException.class, () -> train(backend, false, true));
      Path last = run().newestCheckpoint().orElseThrow();
      assertEquals("step-000000000027.safetensors", String.valueOf(last.getFileName()));
      train(backend, true, false);
    }
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("good")), Files.readAllBytes(folder.resolve("restored")));
    List<String> lines = Files.readAllLines(run().metrics());
    assertEquals(STEPS, lines.size());
    assertEquals(24, lines.stream().filter(line -> line.contains("\"overflow\":true")).count());
  }
}
