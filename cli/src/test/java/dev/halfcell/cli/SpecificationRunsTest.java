package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.Ending;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One run, described in a file, by flags and in Java. */
final class SpecificationRunsTest {
  private static final String JSON =
      """
      {
        "network": {"name": "lenet5"},
        "device": "cpu",
        "precision": {"level": "O2", "lossScale": 1024},
        "training": {
          "steps": 3,
          "batchSize": 16,
          "seed": 7,
          "optimizer": {"name": "adam", "learningRate": 0.002},
          "ema": 0.9
        }
      }
      """;
  private static final String YAML =
      """
      network: {name: lenet5}
      device: cpu
      precision:
        level: O2
        lossScale: 1024
      training:
        steps: 3
        batchSize: 16
        seed: 7
        optimizer: {name: adam, learningRate: 0.002}
        ema: 0.9
      """;

  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  private CommandLineRun train(String out, String... more) {
    String[] arguments = new String[4 + more.length];
    arguments[0] = "train";
    arguments[1] = "--quiet";
    arguments[2] = "--data=" + data;
    arguments[3] = "--out=" + folder.resolve(out);
    System.arraycopy(more, 0, arguments, 4, more.length);
    return CommandLineRun.of(arguments);
  }

  private JsonNode json(String run, String file) throws IOException {
    return new JsonMapper().readTree(Files.readString(folder.resolve(run).resolve(file)));
  }

  private byte[] model(String run) throws IOException {
    return Files.readAllBytes(folder.resolve(run).resolve("model.safetensors"));
  }

  private String config(String name, String text) throws IOException {
    return "--config=" + Files.writeString(folder.resolve(name), text);
  }

  @Test
  void theSameSpecificationGivesTheSameModelHoweverItIsSaid() throws IOException {
    CommandLineRun json = train("json", config("job.json", JSON));
    assertEquals(0, json.exitCode(), json.err());
    assertEquals(0, train("yaml", config("job.yaml", YAML)).exitCode());
    CommandLineRun flags =
        train(
            "flags",
            "lenet5",
            "--device=cpu",
            "--level=O2",
            "--loss-scale=1024",
            "--steps=3",
            "--batch-size=16",
            "--seed=7",
            "--optimizer=adam",
            "--learning-rate=0.002",
            "--ema=0.9");
    assertEquals(0, flags.exitCode(), flags.err());
    try (TrainingRun run =
        TrainingRun.open(JobSpecification.ofJson(JSON), Optional.of(data.toString()))) {
      Ending ending = run.train(RunFolder.at(folder.resolve("java")), _ -> {}, () -> false);
      Ending.Completed completed = assertInstanceOf(Ending.Completed.class, ending);
      assertEquals(3, completed.summary().totals().steps());
      assertTrue(Double.isFinite(completed.summary().totals().lastEpochLoss()));
    }
    for (String run : new String[] {"yaml", "flags", "java"}) {
      assertArrayEquals(model("json"), model(run), run);
    }
  }

  @Test
  void aRunWritesBackWhatItTrainedAndTrainsTheSameFromIt() throws IOException {
    train("first", config("job.json", JSON));
    Path written = folder.resolve("first").resolve("specification.json");
    JobSpecification resolved = JobSpecification.read(written);
    assertEquals(JobSpecification.ofJson(JSON).resolved(), resolved);
    assertEquals(0, train("second", "--config=" + written).exitCode());
    assertArrayEquals(model("first"), model("second"));
  }

  @Test
  void aFlagGoesBeforeTheFile() throws IOException {
    CommandLineRun run = train("run", config("job.json", JSON), "--seed=8", "--level=O0");
    assertEquals(0, run.exitCode(), run.err());
    JobSpecification said = JobSpecification.read(folder.resolve("run/specification.json"));
    assertEquals(8, said.training().seed().orElseThrow());
    assertEquals("O0", said.precision().level().orElseThrow().label());
    assertEquals(16, said.training().batchSize().orElseThrow());
  }

  @Test
  void cellsAreTrainedToo() throws IOException {
    CommandLineRun run =
        train(
            "cells",
            config(
                "cells.yaml",
                """
                network:
                  - {cell: Conv2d, inChannels: 1, outChannels: 2, kernelSize: 5, stride: 2}
                  - {cell: ReLU}
                  - {cell: Flatten}
                  - {cell: Dense, inChannels: 392, outChannels: 10}
                device: cpu
                training: {steps: 2, batchSize: 8}
                """));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(model("cells").length > 4 * (52 + 3930));
    assertEquals(0, CommandLineRun.of("diagnose", folder.resolve("cells").toString()).exitCode());
  }

  @Test
  void threadsAreThoseThatAreAskedFor() throws IOException {
    CommandLineRun run = train("one-thread", config("job.json", JSON), "--threads=1");
    assertEquals(0, run.exitCode(), run.err());
    JsonNode summary = json("one-thread", "summary.json");
    assertEquals(1, summary.get("threads").intValue());
    JsonNode specification = json("one-thread", "specification.json");
    assertEquals(1, specification.at("/resources/threads").intValue());
  }

  @Test
  void moreThreadsThanProcessorsAreRefused() throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    CommandLineRun run = train("run", config("job.json", JSON), "--threads=" + (processors + 1));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("threads"), run.err());
    assertTrue(run.err().contains(processors + ", which device cpu has here"), run.err());
    assertFalse(Files.exists(folder.resolve("run")));
  }

  @Test
  void aRunThatNeedsMoreThanItsLimitIsRefusedBeforeItStarts() throws IOException {
    CommandLineRun run = train("run", config("job.json", JSON), "--memory-limit=100M");
    assertEquals(7, run.exitCode(), run.err());
    assertTrue(run.err().contains("at most 100.0 MiB"), run.err());
    assertTrue(run.err().contains("program 184.0 MiB"), run.err());
    assertFalse(Files.exists(folder.resolve("run")));
  }

  /** What no data could make smaller is refused before any is read. */
  @Test
  void whatIsFarTooLargeIsRefusedWithFiguresBeforeDataIsRead() throws IOException {
    Path none = Files.createDirectory(folder.resolve("no-data"));
    String job =
        config(
            "huge.yaml",
            """
            network:
              - {cell: Flatten}
              - {cell: Dense, inChannels: 784, outChannels: 1048576}
              - {cell: Dense, inChannels: 1048576, outChannels: 2000}
              - {cell: Dense, inChannels: 2000, outChannels: 1048576}
              - {cell: Dense, inChannels: 1048576, outChannels: 10}
            dataset: {config: {shape: [1, 28, 28]}}
            resources: {memoryLimit: 6GiB}
            """);
    CommandLineRun run =
        CommandLineRun.of("train", job, "--data=" + none, "--out=" + folder.resolve("run"));
    assertEquals(7, run.exitCode(), run.err());
    assertTrue(run.err().contains("at most 6.0 GiB, the limit of the run"), run.err());
    assertTrue(run.err().contains("state 3"), run.err());
    assertTrue(run.err().contains("/2/weight fp32[2000, 1048576]"), run.err());
    String small = config("job.json", JSON);
    assertEquals(6, CommandLineRun.of("train", small, "--data=" + none).exitCode());
  }
}
