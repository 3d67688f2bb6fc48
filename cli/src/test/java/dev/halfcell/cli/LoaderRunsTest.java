package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
