package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.DryRun;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.zoo.host.JavaOptions;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --device gpu} from the command line, on the emulated GPU that {@code -Prig} builds. */
@Tag("process")
final class TrainOnGpuTest {
  private static final Path RIG =
      Path.of(System.getProperty("halfcell.root")).resolve("ops-gpu/target/rig/libcuda.so.1");

  private static final List<String> ON_RIG =
      List.of("-Dhalfcell.gpu.driver=" + RIG, "-Dhalfcell.gpu.libraries=");

  @TempDir private Path folder;

  record Said(int code, String text) {}

  @BeforeAll
  static void requireRig() {
    assumeTrue(Files.exists(RIG), "skipped: no emulated GPU (`-Prig` builds it)");
  }

  private static Said run(List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.fixed());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }

  private static Said onRig(String... arguments) throws Exception {
    return run(ON_RIG, arguments);
  }

  private Path data() throws IOException {
    return TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  @Test
  void aNetworkIsTrainedAndTestedThere() throws Exception {
    Path out = folder.resolve("run");
    String data = "--data=" + data();
    Said trained =
        onRig(
            "train",
            "lenet5",
            "--device=gpu",
            "--level=O2",
            data,
            "--steps=3",
            "--batch-size=8",
            "--out=" + out);
    assertEquals(0, trained.code(), trained.text());
    assertTrue(trained.text().contains("matrix products by own kernels: "), trained.text());
    String summary = Files.readString(out.resolve("summary.json"));
    assertTrue(summary.matches("(?s).*\"device\" *: *\"gpu\".*"), summary);
    assertTrue(summary.contains("\"estimated_device_bytes\""), summary);
    Said tested = onRig("evaluate", out.toString(), data);
    assertEquals(0, tested.code(), tested.text());
    assertTrue(tested.text().contains("lenet5 on gpu"), tested.text());
  }

  @Test
  void aJobOverHttpTrainsThere() throws Exception {
    String options = String.join(" ", ON_RIG);
    JobSpecification specification =
        JobSpecification.of("lenet5")
            .with("/device", "gpu")
            .with("/training/steps", 3)
            .with("/training/batchSize", 8);
    try (ServiceProcess service =
            ServiceProcess.serve(
                folder.resolve("service"),
                data(),
                List.of(),
                Map.of("JAVA_TOOL_OPTIONS", options, "HALFCELL_JAVA_OPTS", options));
        HalfCellClient client = new HalfCellClient(ClientSettings.at(service.address()))) {
      DryRun dry = client.dryRun(specification);
      DryRun.OnDevice held = dry.memory().device().orElseThrow();
      assertEquals("gpu", held.name());
      assertTrue(held.bytes() > 0 && held.bytes() <= held.limitBytes(), held::toString);
      var _ = TrainedJobs.awaitSuccess(client, client.submit(specification).job().id());
      assertEquals(0, service.end());
    }
  }

  @Test
  void whatItWouldHoldIsToldOfBothMemories() throws Exception {
    Said told = onRig("explain", "lenet5", "--device=gpu", "--level=O2", "--plan");
    assertEquals(0, told.code(), told.text());
    assertTrue(told.text().contains("memory of a run on gpu: about "), told.text());
    assertTrue(told.text().contains(" on gpu ("), told.text());
  }

  @Test
  void whatItHasTooLittleMemoryForIsRefusedWithFigures() throws Exception {
    Said refused =
        onRig(
            "train",
            "resnet20",
            "--device=gpu",
            "--batch-size=8192",
            "--data=" + data(),
            "--out=" + folder.resolve("large"));
    assertEquals(7, refused.code(), refused.text());
    assertTrue(
        refused.text().contains("at most 4.0 GiB, the memory of device gpu"), refused.text());
    assertTrue(refused.text().contains("activations"), refused.text());
  }

  @Test
  void withoutADriverItIsSaidInALine() throws Exception {
    Path out = folder.resolve("none");
    Said refused =
        run(
            List.of("-Dhalfcell.gpu.driver=" + folder.resolve("none.so")),
            "train",
            "lenet5",
            "--device=gpu",
            "--data=embedded",
            "--out=" + out);
    assertTrue(refused.code() > 0, refused.text());
    assertTrue(refused.text().contains("gpu"), refused.text());
    assertTrue(!refused.text().contains("\tat "), refused.text());
    assertTrue(!Files.exists(out.resolve("summary.json")));
  }
}
