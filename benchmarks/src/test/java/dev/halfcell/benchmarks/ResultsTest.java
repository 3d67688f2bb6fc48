package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

final class ResultsTest {
  @TempDir Path folder;

  @Test
  void areKeptByKindOfProcessor() throws IOException {
    Comparison comparison =
        Comparison.of(
            new Workload("lenet5", 128),
            1,
            Samples.standings(
                Samples.timing(Samples.halfcell("HalfCell O0", Precision.FP32), 4, 6),
                Samples.timing(Samples.peer("libtorch FP32", Precision.FP32, "threads=1"), 10)));
    Results results =
        new Results(
            new Cpu("AMD EPYC", 2, List.of("avx2")),
            0.25,
            "abc",
            Map.of("java", "25"),
            new Protocol(2, new Effort(300, 1), new Effort(300, 5)),
            List.of(comparison));
    Path file = results.write(folder.resolve("new"));
    assertEquals("avx2.json", file.getFileName().toString());
    JsonNode json = Json.lines().readTree(Files.readString(file));
    assertEquals("AMD EPYC", json.at("/cpu/name").asString());
    assertEquals("abc", json.at("/commit").asString());
    assertEquals(300, json.at("/protocol/round/steps").asInt());
    JsonNode row = json.at("/comparisons/0/rows/0");
    assertEquals(5, row.at("/median_ms").asDouble());
    assertEquals(6, row.at("/round_ms/1").asDouble());
    assertEquals(2, row.at("/ratios/over_fp32_peer").asDouble());
    assertEquals(2_000_000, row.at("/bytes/planned").asLong());
    assertEquals(400, json.at("/comparisons/0/peak/bf16").asDouble());
    assertEquals("no op", json.at("/comparisons/0/unable/peer").asString());
    assertTrue(json.at("/comparisons/0/rows/1/ratios/time_over_o0").isNull());
  }

  @Test
  void aMeasurementIsReadFromTheLineThatAPeerPrints() {
    Measurement measured =
        Json.lines()
            .readValue(
                """
                {"losses":[2.3],"step_ms":[4.0,2.0],\
                "bytes":{"activations":null,"planned":null,"resident":7},"versions":{"a":"1"}}
                """,
                Measurement.class);
    Bytes bytes = new Bytes(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(7));
    assertEquals(
        new Measurement(List.of(2.3), List.of(4.0, 2.0), bytes, Map.of("a", "1")), measured);
  }

  @Test
  void aMeasurementIsReadAsItIsWritten() {
    Measurement measured = Samples.steps(1.5);
    String line = Json.lines().writeValueAsString(measured);
    assertEquals(1, line.lines().count());
    assertEquals(measured, Json.lines().readValue(line, Measurement.class));
  }
}
