package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class VerifyCommandTest {
  @TempDir private Path folder;

  /** max(x, 0) at -1, 2, and its gradient for the cotangent 3, 4. */
  private void writeRelu(String name, double second) {
    SequencedMap<String, double[]> tensors = new LinkedHashMap<>();
    tensors.put("in.x", new double[] {-1, 2});
    tensors.put("out", new double[] {0, second});
    tensors.put("grad_out", new double[] {3, 4});
    tensors.put("grad.x", new double[] {0, 4});
    write(name, tensors, Map.of("op", "relu"));
  }

  private void write(
      String name, SequencedMap<String, double[]> values, Map<String, String> attributes) {
    try (TensorScope scope = TensorScope.open()) {
      SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
      values.forEach(
          (key, elements) ->
              tensors.put(
                  key, Tensor.of(scope, TensorSpec.of(DType.FP32, 1, elements.length), elements)));
      new SafeTensors(tensors, attributes).write(folder.resolve(name + ".safetensors"));
    }
  }

  private CommandLineRun verify(String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "verify";
    arguments[1] = folder.toString();
    arguments[2] = "--device=reference";
    System.arraycopy(more, 0, arguments, 3, more.length);
    return CommandLineRun.of(arguments);
  }

  @Test
  void aRightVectorPasses() {
    writeRelu("relu", 2);
    CommandLineRun run = verify();
    assertEquals(0, run.exitCode(), run.out() + run.err());
    assertEquals(
        List.of(
            "file  run      worst error  tolerance  result",
            "relu              0.00e+00   1.00e-05  pass",
            "1 passed, 0 failed, 0 not covered, 0 data missing"),
        run.outLines());
  }

  @Test
  void aWrongVectorFails() {
    writeRelu("relu", 2);
    writeRelu("relu_wrong", 2.5);
    CommandLineRun run = verify();
    assertEquals(1, run.exitCode(), run.out());
    assertTrue(
        run.out().contains("relu_wrong              5.00e-01   2.60e-04  FAIL: "), run.out());
    assertEquals("1 passed, 1 failed, 0 not covered, 0 data missing", run.outLines().getLast());
  }

  @Test
  void anUnknownOpIsNotCoveredAndDoesNotPass() {
    write("swirl", new LinkedHashMap<>(Map.of("in.x", new double[] {1})), Map.of("op", "swirl"));
    CommandLineRun run = verify();
    assertEquals(0, run.exitCode(), run.out());
    assertEquals("0 passed, 0 failed, 1 not covered, 0 data missing", run.outLines().getLast());
  }

  @Test
  void aBrokenFileFails() throws IOException {
    Files.writeString(folder.resolve("broken.safetensors"), "nothing of the kind");
    CommandLineRun run = verify();
    assertEquals(1, run.exitCode(), run.out());
    assertEquals("0 passed, 1 failed, 0 not covered, 0 data missing", run.outLines().getLast());
  }

  @Test
  void theReportIsWrittenAsJson() throws IOException {
    writeRelu("relu", 2);
    writeRelu("relu_wrong", 2.5);
    Path file = folder.resolve("report.json");
    verify("--json=" + file);
    JsonNode report = new JsonMapper().readTree(Files.readString(file));
    assertEquals("reference", report.get("device").asString());
    assertEquals(1, report.get("counts").get("passed").asInt());
    assertEquals(1, report.get("counts").get("failed").asInt());
    assertEquals(0, report.get("counts").get("not_covered").asInt());
    assertEquals(0, report.get("counts").get("data_missing").asInt());
    JsonNode wrong = report.get("rows").get(1);
    assertEquals("relu_wrong", wrong.get("file").asString());
    assertEquals("failed", wrong.get("status").asString());
    assertEquals(0.5, wrong.get("worst_error").asDouble(), 1e-6);
  }

  @Test
  void aReportThatCannotBeWrittenIsRefused() {
    writeRelu("relu", 2);
    CommandLineRun run = verify("--json=" + folder.resolve("none/report.json"));
    assertEquals(2, run.exitCode());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().contains("--json"), run.err());
    assertEquals("", run.out(), "nothing is computed for a report that cannot be written");
  }
}
