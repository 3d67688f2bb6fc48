package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.store.Report.Happened;
import dev.halfcell.rest.worker.FromWorker.Completed;
import dev.halfcell.rest.worker.FromWorker.End;
import dev.halfcell.rest.worker.ToWorker.Begin;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The training of a job whose server does not say where data is. */
final class WorkerTrainingTest {
  private static final JobSpecification JOB =
      JobSpecification.ofYaml(
          """
          network:
            - {cell: Flatten}
            - {cell: Dense, inChannels: 784, outChannels: 10}
          dataset: {config: {shape: [1, 28, 28]}}
          device: cpu
          training: {steps: 2, batchSize: 8}
          """);

  @TempDir private Path folder;

  private final TrainingNews news = new TrainingNews(System::nanoTime);

  private End train(Path run, Optional<String> data, boolean begun) {
    String specification = JOB.resolved().json();
    Begin begin = new Begin(specification, run.toString(), data, begun, Optional.empty());
    return new WorkerTraining(begin, news, _ -> {}, () -> false).run();
  }

  private List<String> notices() {
    return news.take().orElseThrow().events().stream()
        .filter(each -> each.kind() == EventKind.NOTICE)
        .map(Happened::data)
        .toList();
  }

  @Test
  void itGoesOnWithTheDataThatItHad() {
    Path run = folder.resolve("run");
    assertInstanceOf(Completed.class, train(run, Optional.of("embedded"), false));
    var _ = notices();
    assertInstanceOf(Completed.class, train(run, Optional.empty(), true));
    List<String> notices = notices();
    assertTrue(notices.getFirst().contains("goes on after step "), notices::toString);
  }

  /** Whether it goes on then depends on what is found, which its checkpoint is held to. */
  @Test
  void whereItsDataIsGoneThatIsToldAndNoPathOfTheServer() throws IOException {
    Path run = folder.resolve("run");
    assertInstanceOf(Completed.class, train(run, Optional.of("embedded"), false));
    Path gone = folder.resolve("gone");
    Files.writeString(
        run.resolve("run.json"),
        "{\"data\": \"%s\", \"searched\": true, \"samples\": 8000}".formatted(gone));
    var _ = notices();
    var _ = train(run, Optional.empty(), true);
    List<String> notices = notices();
    assertTrue(notices.getFirst().contains("no longer where it was found"), notices::toString);
    assertFalse(notices.toString().contains(folder.toString()), notices::toString);
  }
}
