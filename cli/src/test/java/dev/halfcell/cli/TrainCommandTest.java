package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Trains LeNet-5 for a few steps, all the way to the files. */
final class TrainCommandTest {
  private static final List<String> SUMMARY_KEYS =
      List.of(
          "network",
          "level",
          "half",
          "loss_scale",
          "device",
          "threads",
          "cpu",
          "dataset",
          "epochs",
          "batch_size",
          "epochs_completed",
          "stopped_early",
          "steps",
          "overflow_steps",
          "refused_steps",
          "loss_scale_changes",
          "final_loss_scale",
          "final_train_loss",
          "test_loss",
          "test_accuracy",
          "test_top5_accuracy",
          "step_ms_median",
          "samples_per_second",
          "planned_activation_bytes",
          "planned_peak_bytes",
          "peak_rss_bytes",
          "estimated_peak_bytes",
          "estimated_parts",
          "demoted_cells",
          "seed",
          "versions");
  private static final List<String> METRICS_KEYS =
      List.of(
          "step",
          "epoch",
          "loss",
          "scale",
          "overflow",
          "applied",
          "next_scale",
          "lr",
          "step_ms",
          "data_wait_ms");

  private final JsonMapper json = new JsonMapper();

  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  private CommandLineRun train(String out, String... more) {
    return trainOn("reference", out, more);
  }

  private CommandLineRun trainOn(String device, String out, String... more) {
    Stream<String> first =
        Stream.of(
            "train",
            "lenet5",
            "--device=" + device,
            "--data=" + data,
            "--epochs=2",
            "--batch-size=16",
            "--out=" + folder.resolve(out));
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }

  private JsonNode summary(String run) throws IOException {
    return json.readTree(Files.readString(folder.resolve(run).resolve("summary.json")));
  }

  private List<JsonNode> metrics(String run) throws IOException {
    return Files.readAllLines(folder.resolve(run).resolve("metrics.jsonl")).stream()
        .map(json::readTree)
        .toList();
  }

  private byte[] model(String run) throws IOException {
    return Files.readAllBytes(folder.resolve(run).resolve("model.safetensors"));
  }

  @Test
  void trainsWithParametersInHalfAndSaysSo() throws IOException {
    CommandLineRun run =
        train("half", "--half-parameters", "--stochastic-rounding", "--cast-overflow=nan");
    assertEquals(0, run.exitCode(), run.err());
    String plan = Files.readString(folder.resolve("half/plan.txt"));
    assertTrue(plan.contains("parameters are kept in half"), plan);
    train("usual");
    assertFalse(Arrays.equals(model("half"), model("usual")));
  }

  @Test
  void trainsWithSumsInHalfWhereTheDeviceOffersThat() throws IOException {
    CommandLineRun run = train("narrow", "--partials=fp16", "--partials=/fc1=fp32");
    assertEquals(0, run.exitCode(), run.err());
    String plan = Files.readString(folder.resolve("narrow/plan.txt"));
    assertTrue(plan.contains("summed in fp16 partials\n"), plan);
    assertTrue(plan.contains("summed in fp32 partials: /fc1\n"), plan);
    train("usual");
    assertFalse(Arrays.equals(model("narrow"), model("usual")));
    CommandLineRun refused = trainOn("cpu", "refused", "--partials=fp16");
    assertEquals(2, refused.exitCode(), refused.err());
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertTrue(refused.err().contains("[partials]"), refused.err());
    assertFalse(Files.exists(folder.resolve("refused")));
  }

  @Test
  void writesEveryFile() throws IOException {
    CommandLineRun run = train("run", "--level=O2");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.err());
    for (String file :
        List.of("summary.json", "metrics.jsonl", "model.safetensors", "plan.txt", "loss.svg")) {
      assertTrue(Files.size(folder.resolve("run").resolve(file)) > 100, file);
    }
    assertTrue(Files.readString(folder.resolve("run/loss.svg")).contains("<svg"));
    assertTrue(Files.readString(folder.resolve("run/plan.txt")).contains("/conv1"));
  }

  @Test
  void summaryHasItsKeysAndTheirValues() throws IOException {
    train("run", "--level=O1", "--half=bf16", "--loss-scale=128", "--seed=7");
    JsonNode summary = summary("run");
    assertEquals(SUMMARY_KEYS, List.copyOf(summary.propertyNames()));
    assertEquals("lenet5", summary.get("network").asString());
    assertEquals("O1", summary.get("level").asString());
    assertEquals("bf16", summary.get("half").asString());
    assertEquals("reference", summary.get("device").asString());
    assertEquals(2, summary.get("epochs").asInt());
    assertEquals(16, summary.get("batch_size").asInt());
    assertEquals(6, summary.get("steps").asInt());
    assertEquals("128", summary.get("loss_scale").asString());
    assertEquals(128, summary.get("final_loss_scale").asDouble());
    assertEquals(7, summary.get("seed").asLong());
    double accuracy = summary.get("test_accuracy").asDouble();
    assertEquals(Math.rint(accuracy * TinyFashion.TEST), accuracy * TinyFashion.TEST, 1e-9);
    assertTrue(summary.get("planned_activation_bytes").asLong() > 0);
    assertTrue(summary.get("versions").has("halfcell"));
    assertTrue(summary.get("versions").has("java"));
  }

  @Test
  void aLossScaleIsNamedInTheSummaryAsOnTheCommandLine() throws IOException {
    for (String name : List.of("none", "backoff", "deepspeed-fused")) {
      CommandLineRun run = trainOn("cpu", name, "--loss-scale=" + name);
      assertEquals(0, run.exitCode(), run.err());
      assertEquals(name, summary(name).get("loss_scale").asString());
    }
    trainOn("cpu", "default");
    assertEquals("dynamic", summary("default").get("loss_scale").asString());
  }

  @Test
  void metricsHaveALineAStepThatAddsUpToTheSummary() throws IOException {
    train("run");
    List<JsonNode> metrics = metrics("run");
    assertEquals(6, metrics.size());
    for (int i = 0; i < 6; i++) {
      JsonNode line = metrics.get(i);
      assertEquals(METRICS_KEYS, List.copyOf(line.propertyNames()));
      assertEquals(i + 1, line.get("step").asInt());
      assertEquals(i / 3 + 1, line.get("epoch").asInt());
      assertEquals(0.01, line.get("lr").asDouble());
    }
    double mean =
        metrics.stream()
            .skip(3)
            .mapToDouble(line -> line.get("loss").asDouble())
            .average()
            .orElse(0);
    assertEquals(mean, summary("run").get("final_train_loss").asDouble(), 1e-9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  void theSameSeedGivesTheSameBytesAndAnotherSeedOthers(String device) throws IOException {
    trainOn(device, "first", "--seed=3");
    trainOn(device, "second", "--seed=3");
    trainOn(device, "other", "--seed=4");
    assertArrayEquals(model("first"), model("second"));
    assertFalse(Arrays.equals(model("first"), model("other")));
  }

  @Test
  void batchesThatOverflowAreTriedAgainAndAveragesAreTested() throws IOException {
    CommandLineRun run =
        train(
            "retry",
            "--level=O2",
            "--loss-scale=mindspore",
            "--overflow-policy=retry:40",
            "--ema=0.5");
    assertEquals(0, run.exitCode(), run.err());
    List<JsonNode> steps = metrics("retry");
    assertTrue(steps.getFirst().get("tries").asInt() > 1, steps.getFirst().toString());
    assertTrue(steps.stream().noneMatch(step -> step.get("overflow").asBoolean()));
    assertFalse(steps.getLast().has("tries"));
    double share = summary("retry").get("ema_test_accuracy").asDouble();
    assertTrue(share >= 0 && share <= 1);
  }

  @Test
  void thePolicyFailEndsTheRunAtTheFirstOverflow() {
    CommandLineRun run = train("fail", "--level=O2", "--loss-scale=1e30", "--overflow-policy=fail");
    assertEquals(5, run.exitCode(), run.out());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().endsWith("No checkpoint was saved.\n"), run.err());
    assertTrue(run.err().contains("the overflow policy is fail"), run.err());
  }

  @Test
  void aRunThatHasNoFiniteLossFailsAndSaysSo() throws IOException {
    CommandLineRun run = train("wild", "--level=O0", "--optimizer=sgd", "--learning-rate=1e38");
    assertEquals(5, run.exitCode(), run.out());
    assertTrue(run.err().startsWith("halfcell: training failed"), run.err());
    JsonNode last = metrics("wild").getLast();
    assertTrue(last.get("overflow").asBoolean());
    assertTrue(last.get("loss").isNull());
    assertTrue(summary("wild").get("final_train_loss").isNull());
  }

  @Test
  void stepsTakeAccumulatedBatchesAndTheRateFallsToTheEnd() throws IOException {
    train("each", "--optimizer=adamw", "--weight-decay=0", "--schedule=linear", "--clip-norm=1");
    train("pairs", "--schedule=linear", "--accumulate=2");
    List<String> each = Files.readAllLines(folder.resolve("each/metrics.jsonl"));
    List<String> pairs = Files.readAllLines(folder.resolve("pairs/metrics.jsonl"));
    int batches = each.size() / 2;
    assertEquals(2 * Math.ceilDiv(batches, 2), pairs.size());
    double last = json.readTree(each.getLast()).get("lr").asDouble();
    assertEquals(0.01 / each.size(), last, 1e-9);
  }

  @Test
  void autoIsTheCpu() throws IOException {
    trainOn("auto", "run", "--half=bf16");
    assertEquals("cpu", summary("run").get("device").asString());
    assertTrue(summary("run").get("versions").has("onednn"));
  }

  @Test
  void linesTellOfPlanEpochsAndResult() {
    CommandLineRun run = train("run", "--level=O2");
    assertTrue(run.out().contains("13 cells fp16, 1 cell fp32"), run.out());
    assertTrue(run.out().contains("epoch 1/2  loss "), run.out());
    assertTrue(run.out().contains("epoch 2/2  loss "), run.out());
    assertTrue(run.out().contains("test accuracy  "), run.out());
  }

  @Test
  void quietPrintsTheClosingTableAlone() {
    CommandLineRun run = train("run", "--quiet");
    assertFalse(run.out().contains("epoch 1/2"), run.out());
    assertFalse(run.out().contains("precision"), run.out());
    assertTrue(run.out().contains("test accuracy  "), run.out());
  }

  @Test
  void aProfileIsPrintedAndWrittenForTraceViewersAndChangesNothingElse() throws IOException {
    CommandLineRun usual = CommandLineRun.of(steps(12, "usual"));
    assertEquals(0, usual.exitCode(), usual.err());
    CommandLineRun run = CommandLineRun.of(steps(12, "profiled", "--profile", "--quiet"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("profile of 2 steps from step 11, "), run.out());
    for (String row :
        List.of(
            "data", "forward", "backward", "update", "rest", "Conv2d", "/conv1", "\\(step\\)")) {
      assertTrue(run.out().matches("(?s).*\\n" + row + " +\\d+\\.\\d{3} +\\d.*"), row);
    }
    assertArrayEquals(model("usual"), model("profiled"));
    Path trace = folder.resolve("profiled").resolve("profile-trace.json");
    assertTrue(json.readTree(Files.readString(trace)).get("traceEvents").size() > 100);
    assertFalse(Files.exists(folder.resolve("usual").resolve("profile-trace.json")));
  }

  @Test
  void aRunThatIsTooShortToBeProfiledSaysSo() {
    CommandLineRun run = CommandLineRun.of(steps(2, "short", "--profile"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("no profile: the run took no step after the first 10"));
    assertFalse(Files.exists(folder.resolve("short").resolve("profile-trace.json")));
  }

  @Test
  void stepsThatRunOpByOpAreNotProfiled() {
    CommandLineRun run = CommandLineRun.of(steps(2, "eager", "--profile", "--fp-exceptions=inv"));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("got steps that run op by op"), run.err());
  }

  private String[] steps(int count, String out, String... more) {
    Stream<String> first =
        Stream.of(
            "train",
            "lenet5",
            "--device=reference",
            "--data=" + data,
            "--steps=" + count,
            "--batch-size=2",
            "--out=" + folder.resolve(out));
    return Stream.concat(first, Arrays.stream(more)).toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"O0", "O1", "O2", "O3"})
  void anyLevelIsTimedOnSyntheticData(String level) throws IOException {
    CommandLineRun run = synthetic("timed", "--level=" + level, "--device=cpu");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("synthetic (seed 1, 60,000 train / no test)"), run.out());
    assertTrue(run.out().contains("none: the data has no test samples"), run.out());
    assertEquals(SUMMARY_KEYS, List.copyOf(summary("timed").propertyNames()));
    for (String key : List.of("test_loss", "test_accuracy", "test_top5_accuracy")) {
      assertTrue(summary("timed").get(key).isNull(), key);
    }
    assertEquals(4, summary("timed").get("steps").asInt());
    assertTrue(summary("timed").get("step_ms_median").asDouble() > 0);
  }

  @Test
  void aRunOnSyntheticDataIsNeitherEvaluatedNorAskedNorGivenAnotherPlace() {
    assertEquals(0, synthetic("blind", "--device=reference").exitCode());
    String out = folder.resolve("blind").toString();
    for (CommandLineRun run :
        List.of(
            CommandLineRun.of("evaluate", out),
            CommandLineRun.of("evaluate", out, "--data=" + data),
            CommandLineRun.of("predict", out, "boot.npy"))) {
      assertEquals(2, run.exitCode(), run.err());
      assertTrue(run.err().contains("expected a run on real data"), run.err());
    }
    CommandLineRun resumed = CommandLineRun.of("train", "--resume=" + out, "--data=synthetic");
    assertEquals(2, resumed.exitCode());
    assertTrue(resumed.err().contains("--data"), resumed.err());
    CommandLineRun elsewhere = CommandLineRun.of("train", "--resume=" + out, "--data=" + data);
    assertEquals(2, elsewhere.exitCode());
    assertTrue(elsewhere.err().contains("no place, for it is made"), elsewhere.err());
  }

  private CommandLineRun synthetic(String out, String... more) {
    Stream<String> first =
        Stream.of(
            "train",
            "lenet5",
            "--data=synthetic",
            "--steps=4",
            "--batch-size=4",
            "--out=" + folder.resolve(out));
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }
}
