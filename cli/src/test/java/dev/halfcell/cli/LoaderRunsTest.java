package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.Ending;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunModel;
import dev.halfcell.zoo.run.SavedValues;
import dev.halfcell.zoo.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the batches of a run are read: by how many threads, and to the same bits. */
final class LoaderRunsTest {
  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  private static JobSpecification job(int workers) {
    return JobSpecification.of("lenet5")
        .with("/device", "cpu")
        .with("/training/epochs", 2)
        .with("/training/batchSize", 8)
        .with("/resources/loaderWorkers", workers);
  }

  /** Trains, and tells how many loader threads there were at each step. */
  private List<Integer> train(JobSpecification job, String out) {
    List<Integer> threads = new ArrayList<>();
    try (TrainingRun run = TrainingRun.open(job, Optional.of(data.toString()))) {
      var _ =
          run.train(
              RunFolder.at(folder.resolve(out)),
              event -> {
                if (event instanceof TrainEvent.StepTaken) {
                  threads.add(loaders());
                }
              },
              () -> false);
    }
    return threads;
  }

  private static int loaders() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("halfcell-loader-"))
            .count();
  }

  private byte[] model(String run) throws IOException {
    return Files.readAllBytes(folder.resolve(run).resolve("model.safetensors"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void anyNumberOfWorkersGivesTheSameModel(int workers) throws IOException {
    assertTheyEnd();
    assertEquals(List.of(0), train(job(0), "none").stream().distinct().toList());
    assertEquals(List.of(workers), train(job(workers), "some").stream().distinct().toList());
    assertArrayEquals(model("none"), model("some"));
    assertTheyEnd();
  }

  /** A thread that was told to end lives a moment longer. */
  private static void assertTheyEnd() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (loaders() > 0) {
      assertTrue(System.nanoTime() < end, "they end with the run");
      Thread.onSpinWait();
    }
  }

  private static JobSpecification augmented(JobSpecification job) {
    return job.with(
        "/dataset/config/augmentations",
        List.of(
            Map.of("augmentation", "Normalize", "mean", 0.1, "deviation", 0.5),
            Map.of("augmentation", "RandomCrop", "padding", 2),
            "RandomHorizontalFlip",
            Map.of("augmentation", "CutOut", "length", 8)));
  }

  private JobSpecification written(String run) {
    return new RunFolder(folder.resolve(run)).specification();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void augmentedBatchesAreTheSameForAnyNumberOfWorkers(int workers) throws IOException {
    assertFalse(train(job(0), "plain").isEmpty());
    assertFalse(train(augmented(job(0)), "none").isEmpty());
    assertFalse(train(augmented(job(workers)), "some").isEmpty());
    assertArrayEquals(model("none"), model("some"));
    assertFalse(Arrays.equals(model("plain"), model("none")), "augmentations change the model");
    assertEquals(augmented(job(0)).resolved(), written("none"), "they are written back");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 7})
  void anAugmentedRunThatIsStoppedAndResumedEndsInTheSameModel(int steps) throws IOException {
    assertFalse(train(augmented(job(2)), "whole").isEmpty());
    RunFolder stopped = RunFolder.at(folder.resolve("stopped"));
    List<Long> taken = new ArrayList<>();
    try (TrainingRun run = TrainingRun.open(augmented(job(2)), Optional.of(data.toString()))) {
      Ending ending =
          run.train(
              stopped,
              event -> {
                if (event instanceof TrainEvent.StepTaken step) {
                  taken.add(step.step());
                }
              },
              () -> taken.size() >= steps);
      assertInstanceOf(Ending.Interrupted.class, ending);
    }
    try (TrainingRun run =
        TrainingRun.open(
            stopped.specification().with("/resources/loaderWorkers", 1),
            Optional.of(data.toString()))) {
      assertInstanceOf(
          Ending.Completed.class, run.goOn(run.restore(stopped), _ -> {}, () -> false));
    }
    assertArrayEquals(model("whole"), model("stopped"));
  }

  /** The order counts, and so does what tests see: the same normalisation, and nothing drawn. */
  @Test
  void testsSeeWhatDrawsNothingAndNothingElse() {
    JobSpecification job = augmented(job(0)).resolved();
    DataSet plain = new Assembly(job(0).resolved()).openData(place()).test();
    DataSet test = new Assembly(job).openData(place()).test();
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> was = row(plain, scope);
      List<Tensor> is = row(test, scope);
      for (int sample = 0; sample < test.size(); sample++) {
        plain.read(sample, was, 0);
        test.read(sample, is, 0);
        assertEquals(was.getLast().at(0), is.getLast().at(0));
        for (int pixel = 0; pixel < 1024; pixel++) {
          float expected = (float) (((float) was.getFirst().at(pixel) - 0.1) / 0.5);
          assertEquals(expected, (float) is.getFirst().at(pixel), "pixel " + pixel);
        }
      }
    }
  }

  /** What is measured later is what the run measured. */
  @Test
  void aModelIsEvaluatedOnImagesAsItsRunTestedIt() {
    RunFolder folderOfRun = RunFolder.at(folder.resolve("scored"));
    try (TrainingRun run = TrainingRun.open(augmented(job(1)), place())) {
      Ending ending = run.train(folderOfRun, _ -> {}, () -> false);
      Ending.Completed done = assertInstanceOf(Ending.Completed.class, ending);
      try (RunModel model = RunModel.open(folderOfRun, new SavedValues.Finished(), false)) {
        assertEquals(
            done.summary().test(), model.evaluate(model.openData(place()), OptionalInt.empty()));
      }
    }
  }

  private Optional<String> place() {
    return Optional.of(data.toString());
  }

  private static List<Tensor> row(DataSet of, TensorScope scope) {
    return of.sample().stream()
        .map(part -> scope.allocate(part.as(part.shape().behind(1))))
        .toList();
  }

  @Test
  void theFlagIsFollowedAndWrittenBack() throws IOException {
    CommandLineRun run =
        CommandLineRun.of(
            "train",
            "lenet5",
            "--device=cpu",
            "--steps=2",
            "--batch-size=8",
            "--loader-workers=3",
            "--data=" + data,
            "--out=" + folder.resolve("flag"));
    assertEquals(0, run.exitCode(), run.err());
    JobSpecification written = new RunFolder(folder.resolve("flag")).specification();
    assertEquals(3, written.resources().loaderWorkers().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "257", "1.5", "", "two"})
  void aNumberThatIsNoneIsRefused(String workers) {
    CommandLineRun run = CommandLineRun.of("train", "lenet5", "--loader-workers=" + workers);
    assertEquals(2, run.exitCode());
    assertEquals(1, run.errLines().size(), run.err());
  }
}
