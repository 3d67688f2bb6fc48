package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs that are killed by {@code kill -9} at random times, and what they end in once resumed. The
 * network has what a run could forget: running statistics, dropout, a loss scale that moves.
 */
final class KilledRuns {
  /** Another draws other moments. */
  static final long SEED = Long.getLong("halfcell.kills.seed", 1);

  private static final String SPECIFICATION =
      """
      {"network": [
         {"cell": "Conv2d", "inChannels": 1, "outChannels": 4, "kernelSize": 3, "stride": 2},
         {"cell": "BatchNorm2d", "numFeatures": 4},
         {"cell": "ReLU"},
         {"cell": "Flatten"},
         {"cell": "Dropout", "p": 0.25},
         {"cell": "Dense", "inChannels": 676, "outChannels": 10}],
       "dataset": {"config": {"shape": [1, 28, 28]}},
       "device": "cpu",
       "checkpoint": {"everySteps": 3},
       "precision": {"level": "LEVEL", "lossScale": {"rule": "dynamic", "init": 524288, "window": 7}},
       "training": {"batchSize": 8, "epochs": 16, "schedule": "warm-up=5%+cosine", TRAINING}}
      """;

  private final Path folder;

  /** What is trained: a level, and how in words and as keys of {@code training}. */
  record Way(String level, String name, String training) {
    static List<Way> all() {
      List<Way> ways = new ArrayList<>();
      for (String level : List.of("O0", "O1", "O2", "O3")) {
        ways.add(
            new Way(
                level,
                "momentum",
                "\"optimizer\": {\"name\": \"momentum\", \"learningRate\": 0.01}"));
        ways.add(
            new Way(level, "adam", "\"optimizer\": {\"name\": \"adam\", \"learningRate\": 0.001}"));
        ways.add(
            new Way(
                level,
                "adamw, windows of 2, averages",
                "\"optimizer\": {\"name\": \"adamw\", \"learningRate\": 0.001}, \"accumulation\": 2, \"ema\": 0.9"));
      }
      return ways;
    }

    @Override
    public String toString() {
      return level + " " + name;
    }
  }

  /** The SHA-256 of the files that a run ends in; what a clock said is left out. */
  record Result(String model, String metrics) {}

  /** When a run is killed: once its metrics have lines, or at any time of the process. */
  enum When {
    TRAINING,
    PROCESS,
    /** In the training, and once more at any time of the process that resumes it. */
    RESUMING_TOO
  }

  KilledRuns(Path folder) throws IOException {
    this.folder = folder;
    if (!Files.exists(data())) {
      var _ = TinyFashion.write(Files.createDirectory(data()));
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private String[] arguments(Way way, Path out) throws IOException {
    Path config = folder.resolve("config.json");
    Files.writeString(
        config, SPECIFICATION.replace("LEVEL", way.level()).replace("TRAINING", way.training()));
    return new String[] {
      "train", "--config=" + config, "--data=" + data(), "--quiet", "--out=" + out
    };
  }

  /** What an uninterrupted run ends in. */
  Result whole(Way way, String... more) throws IOException {
    Path out = Files.createTempDirectory(folder, "whole");
    List<String> arguments = new ArrayList<>(List.of(arguments(way, out)));
    arguments.addAll(List.of(more));
    CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.err());
    return result(out);
  }

  static Result result(Path run) throws IOException {
    String lines =
        Files.readAllLines(run.resolve("metrics.jsonl")).stream()
            .map(line -> line.replaceAll("\"(step|data_wait)_ms\":[^,}]+", ""))
            .collect(Collectors.joining("\n"));
    return new Result(
        sha256(Files.readAllBytes(run.resolve("model.safetensors"))),
        sha256(lines.getBytes(StandardCharsets.UTF_8)));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** How long a process takes until its metrics have lines, and from then on. */
  record Pace(long startMillis, long trainMillis) {}

  /** Measures that on a run that is not killed, which has to end in the same files too. */
  Pace pace(Way way, Result expected) throws Exception {
    Path out = Files.createTempDirectory(folder, "paced");
    long start = System.nanoTime();
    try (CommandLineProcess process = CommandLineProcess.start(arguments(way, out))) {
      process.await(out.resolve("metrics.jsonl"));
      long begun = System.nanoTime();
      assertEquals(0, process.exitCode(), process::said);
      assertEquals(expected, result(out), way + " in a process of its own");
      return new Pace((begun - start) / 1_000_000, (System.nanoTime() - begun) / 1_000_000);
    }
  }

  /**
   * Kills a run, resumes it, and fails unless it ends as expected.
   *
   * @return what was done, for a report
   */
  String kill(Way way, When when, Pace pace, Result expected, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path out = Files.createTempDirectory(folder, "killed");
    String done =
        "%s, seed %d, %s: ".formatted(way, seed, when) + killed(way, when, pace, out, random);
    if (when == When.RESUMING_TOO) {
      long delay = random.nextLong(1 + pace.startMillis() + pace.trainMillis());
      done +=
          killedAfter(delay, "train", "--resume=" + out, "--quiet")
              ? ", then after %d ms of the resumed process".formatted(delay)
              : ", the resumed process was over before %d ms".formatted(delay);
    }
    CommandLineRun resumed =
        Files.exists(out.resolve("specification.json"))
            ? CommandLineRun.of("train", "--resume=" + out, "--quiet")
            : CommandLineRun.of(arguments(way, out));
    String all = done + "; " + resumed.err().strip().replace("halfcell: ", "");
    assertEquals(0, resumed.exitCode(), all);
    assertEquals(expected, result(out), all);
    return all;
  }

  /**
   * Again where the run was over already, for then nothing was killed; sooner each time, for the
   * machine may be faster now than when the pace was taken.
   */
  private String killed(Way way, When when, Pace pace, Path out, SplittableRandom random)
      throws Exception {
    for (int attempt = 1; attempt <= 20; attempt++) {
      if (when == When.PROCESS) {
        long delay = random.nextLong(1 + (pace.startMillis() + pace.trainMillis()) / attempt);
        if (killedAfter(delay, arguments(way, out))) {
          return "killed after %d ms of the process".formatted(delay);
        }
      } else {
        long delay = random.nextLong(1 + pace.trainMillis() / attempt);
        if (killedInTraining(delay, way, out)) {
          return "killed after %d ms of the training".formatted(delay);
        }
      }
      empty(out);
    }
    throw new AssertionError(way + ": 20 runs were over before they were killed");
  }

  private static void empty(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static boolean killedAfter(long millis, String... arguments) throws Exception {
    try (CommandLineProcess process = CommandLineProcess.start(arguments)) {
      TimeUnit.MILLISECONDS.sleep(millis);
      return process.kill();
    }
  }

  private boolean killedInTraining(long millis, Way way, Path out) throws Exception {
    try (CommandLineProcess process = CommandLineProcess.start(arguments(way, out))) {
      process.await(out.resolve("metrics.jsonl"));
      TimeUnit.MILLISECONDS.sleep(millis);
      return process.kill();
    }
  }
}
