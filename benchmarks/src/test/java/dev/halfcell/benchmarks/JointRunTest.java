package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Both files as they are written, in small. */
final class JointRunTest {
  private static final String HALFCELL =
      """
      {"device": "GPU A", "driver": "580", "commit": "abc", "check": "passed",
       "versions": {"gpu": "GPU A"}, "rounds": 1, "effort": {"steps": 9, "seconds": 1.0},
       "rows": [
        {"network": "lenet5", "batch": 128, "name": "HalfCell O0", "half": null,
         "median_ms": 0.9, "best_ms": 0.9, "round_ms": [0.9], "timed_steps": 6,
         "loss_difference": 0.0, "bytes": null, "error": null},
        {"network": "lenet5", "batch": 128, "name": "HalfCell O2 FP16", "half": "fp16",
         "median_ms": 0.5, "best_ms": 0.5, "round_ms": [0.5], "timed_steps": 6,
         "loss_difference": 0.001, "bytes": null, "error": null},
        {"network": "lenet5", "batch": 128, "name": "HalfCell O2 BF16", "half": "bf16",
         "median_ms": null, "best_ms": null, "round_ms": [], "timed_steps": 0,
         "loss_difference": null, "bytes": null, "error": "exit code 137"},
        {"network": "resnet20", "batch": 64, "name": "HalfCell O2 FP16", "half": "fp16",
         "median_ms": 4.0, "best_ms": 4.0, "round_ms": [4.0], "timed_steps": 6,
         "loss_difference": 0.001, "bytes": null, "error": null}]}
      """;

  private static final String TORCH =
      """
      {"device": "GPU A", "driver": "580", "torch": "2.11", "cuda": "13.0", "cudnn": 91900,
       "ceilings": [], "not_run": [],
       "rows": [
        {"network": "lenet5", "batch": 128, "mode": "fp32", "half": null, "layout": "nchw",
         "optimizer": "SGD foreach", "ms": 2.0},
        {"network": "lenet5", "batch": 128, "mode": "amp", "half": "fp16", "layout": "nhwc",
         "ms": 3.0},
        {"network": "lenet5", "batch": 128, "mode": "amp", "half": "bf16", "layout": "nhwc",
         "ms": 2.4},
        {"network": "lenet5", "batch": 128, "mode": "graph", "half": "fp16", "layout": "nchw",
         "error": "RuntimeError: none\\nand more"},
        {"network": "lenet5", "batch": 128, "mode": "graph", "half": "fp16", "layout": "nhwc",
         "ms": 0.3},
        {"network": "lenet5", "batch": 128, "mode": "compile", "half": "fp16", "layout": "nhwc",
         "ms": 2.2},
        {"network": "lenet5", "batch": 128, "mode": "reduce-overhead", "half": "fp16",
         "layout": "nhwc", "ms": 2.0},
        {"network": "lenet5", "batch": 128, "mode": "reduce-overhead", "half": "bf16",
         "layout": "nhwc", "ms": 1.0, "error": "ArithmeticError: not finite\\nat the end"},
        {"network": "resnet20", "batch": 128, "mode": "amp", "half": "fp16", "layout": "nhwc",
         "ms": 10.0}]}
      """;

  @TempDir private Path folder;

  @BeforeEach
  void writeBoth() throws IOException {
    Files.writeString(folder.resolve("halfcell.json"), HALFCELL);
    Files.writeString(folder.resolve("pytorch.json"), TORCH);
  }

  private JointRun joint() throws IOException {
    return JointRun.of(LevelRun.read(folder), TorchRun.read(folder));
  }

  private JointRow row(String name) throws IOException {
    List<JointRow> found =
        joint().rows().stream()
            .filter(row -> row.network().equals("lenet5") && row.name().equals(name))
            .toList();
    assertEquals(1, found.size(), found::toString);
    return found.getFirst();
  }

  @Test
  void aHalfIsComparedWithEagerAmpAndTheFastestCompiledStepOfTheSameHalf() throws IOException {
    JointRow halfcell = row("HalfCell O2 FP16");
    assertEquals(OptionalDouble.of(6), halfcell.overEager());
    assertEquals(OptionalDouble.of(4), halfcell.overCompiled());
    assertEquals(OptionalDouble.of(1), row("PyTorch amp fp16").overEager());
    assertEquals(OptionalDouble.of(1), row("PyTorch amp bf16").overEager());
  }

  @Test
  void fp32IsComparedWithNoHalf() throws IOException {
    assertEquals(OptionalDouble.empty(), row("HalfCell O0").overEager());
    assertEquals(OptionalDouble.empty(), row("PyTorch fp32").overCompiled());
  }

  @Test
  void whatFailedHasNoTimeAndIsComparedWithNothing() throws IOException {
    JointRow failed = row("HalfCell O2 BF16");
    assertEquals(Optional.of("exit code 137"), failed.error());
    assertEquals(OptionalDouble.empty(), failed.overEager());
    JointRow late = row("PyTorch reduce-overhead bf16");
    assertEquals(OptionalDouble.empty(), late.medianMs());
    assertEquals(Optional.of("ArithmeticError: not finite"), late.error());
    assertEquals(OptionalDouble.empty(), row("PyTorch amp bf16").overCompiled());
  }

  @Test
  void thePeersBestLayoutThatDidNotFailStandsThere() throws IOException {
    JointRow graph = row("PyTorch graph fp16");
    assertEquals(Optional.of("nhwc"), graph.layout());
    assertEquals(OptionalDouble.of(0.3), graph.medianMs());
  }

  @Test
  void anotherBatchIsAnotherWorkload() throws IOException {
    List<JointRow> others =
        joint().rows().stream().filter(row -> row.network().equals("resnet20")).toList();
    assertEquals(1, others.size());
    assertEquals(OptionalDouble.empty(), others.getFirst().overEager());
  }

  @Test
  void withoutPyTorchHalfCellStandsAlone() throws IOException {
    Files.delete(folder.resolve("pytorch.json"));
    assertEquals(4, joint().rows().size());
    assertTrue(JointTable.of(joint()).contains("PyTorch none"));
  }

  @Test
  void timesOfDifferentDevicesAreNotCompared() throws IOException {
    Files.writeString(folder.resolve("pytorch.json"), TORCH.replace("GPU A", "GPU B"));
    MeasurementException refused = assertThrows(MeasurementException.class, this::joint);
    assertTrue(String.valueOf(refused.getMessage()).startsWith("pytorch.json is of GPU B, half"));
  }

  @Test
  void pyTorchStandsThereWhereHalfCellDidNotComeToOpenTheGpu() throws IOException {
    String failed = HALFCELL.replaceAll("\"median_ms\": [0-9.]+", "\"median_ms\": null");
    Files.writeString(folder.resolve("halfcell.json"), failed.replace("GPU A", "gpu"));
    assertEquals(OptionalDouble.of(3), row("PyTorch amp fp16").medianMs());
  }

  @Test
  void aFileThatWasCutOffIsNamed() throws IOException {
    Files.writeString(folder.resolve("pytorch.json"), TORCH.substring(0, 200));
    MeasurementException refused = assertThrows(MeasurementException.class, this::joint);
    assertTrue(String.valueOf(refused.getMessage()).contains("pytorch.json is not what"));
  }

  @Test
  void theTableHasHalfCellsRowsAndThenPyTorchsOfEachNetwork() throws IOException {
    assertEquals(
        List.of(
            "GPU A, driver 580; HalfCell abc, its tests here: passed; PyTorch 2.11",
            "",
            "lenet5, batch 128 median ms x eager AMP x compiled",
            "HalfCell O0 0.900 - -",
            "HalfCell O2 FP16 0.500 6.00x 4.00x",
            "HalfCell O2 BF16 - - - failed: exit code 137",
            "PyTorch fp32 2.000 - - nchw",
            "PyTorch amp fp16 3.000 1.00x 0.67x nhwc",
            "PyTorch amp bf16 2.400 1.00x - nhwc",
            "PyTorch graph fp16 0.300 10.00x 6.67x nhwc",
            "PyTorch compile fp16 2.200 1.36x 0.91x nhwc",
            "PyTorch reduce-overhead fp16 2.000 1.50x 1.00x nhwc",
            "PyTorch reduce-overhead bf16 - - - failed: ArithmeticError: not finite",
            "",
            "resnet20, batch 64 median ms x eager AMP x compiled",
            "HalfCell O2 FP16 4.000 - -"),
        JointTable.of(joint()).lines().map(line -> line.replaceAll(" +", " ")).toList());
  }

  @Test
  void isWrittenWithWhatItWasMadeOn() throws IOException {
    JsonNode json = Json.lines().readTree(Files.readString(joint().write(folder)));
    assertEquals("GPU A", json.at("/device").asString());
    assertEquals("580", json.at("/driver").asString());
    assertEquals("abc", json.at("/commit").asString());
    assertEquals("2.11", json.at("/versions/torch").asString());
    assertEquals(6, json.at("/rows/1/over_eager").asDouble());
    assertTrue(json.at("/rows/0/over_eager").isNull());
  }

  /** What baselines.py wrote on an H100. */
  @Test
  void thePeersTimesThatAreKeptCanBeJoined() throws IOException {
    Path kept =
        Path.of(System.getProperty("halfcell.root"))
            .resolve("benchmarks/results/gpu/pytorch_h100.json");
    Files.copy(kept, folder.resolve("pytorch.json"), StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(
        folder.resolve("halfcell.json"), HALFCELL.replace("GPU A", "NVIDIA H100 80GB HBM3"));
    JointRow halfcell = row("HalfCell O2 FP16");
    assertEquals(2.98 / 0.5, halfcell.overEager().orElseThrow(), 0.02);
    assertEquals(2.24 / 0.5, halfcell.overCompiled().orElseThrow(), 0.02);
  }
}
