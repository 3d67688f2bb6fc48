package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.LocalServer;
import dev.halfcell.rest.LocalSettings;
import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobEvents;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.rest.client.StepDiagnosis;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A step of a job is run again over HTTP as on the command line. */
@Timeout(300)
@Tag("process")
final class DiagnosisServiceTest {
  private static final JobSpecification SMALL =
      JobSpecification.of("lenet5")
          .with("/device", "cpu")
          .with("/precision/level", "O2")
          .with("/precision/half", "fp16")
          .with("/training/steps", 5)
          .with("/training/batchSize", 4);

  @TempDir private Path folder;

  private LocalServer server() throws IOException {
    Path settings = Files.writeString(folder.resolve("settings.yaml"), "dataset: embedded\n");
    return LocalServer.start(LocalSettings.of(folder.resolve("service"), 0).with(settings));
  }

  private static Job over(HalfCellClient client, JobSpecification specification) {
    Job job = client.submit(specification).job();
    try (JobEvents events = client.events(job.id(), 0)) {
      while (events.next().isPresent()) {
        // until its end
      }
    }
    return job;
  }

  private Path run(Job job) {
    String first = job.id().substring(0, 2);
    return folder.resolve("service/jobs").resolve(first).resolve(job.id()).resolve("run");
  }

  @Test
  void aStepSaysTheSameOverHttpAsOnTheCommandLine() throws IOException {
    try (LocalServer server = server();
        HalfCellClient client =
            new HalfCellClient(ClientSettings.at(server.address().toString()))) {
      Job finite = over(client, SMALL);
      StepDiagnosis first = client.diagnoseStep(finite.id());
      assertEquals(Optional.empty(), first.step());
      assertEquals(Optional.empty(), first.offender());
      assertEquals("model.safetensors", first.values());
      assertSame(run(finite), first);

      Job overflowing =
          over(
              client,
              SMALL.with("/precision/lossScale", 1e9).with("/precision/options/diagnose", true));
      StepDiagnosis last = client.diagnoseStep(overflowing.id());
      assertEquals(Optional.of(5L), last.step());
      assertEquals(1e9, last.scale());
      assertEquals("offending-state.safetensors", last.values());
      String where = last.offender().orElseThrow().path();
      CommandLineRun told = CommandLineRun.of("diagnose", run(overflowing).toString());
      assertTrue(
          told.outLines().stream()
              .anyMatch(line -> line.startsWith("first offender: ") && line.contains(where)),
          told.out());
      assertSame(run(overflowing), last);
      assertRefused(client, overflowing);
    }
    assertEquals(List.of(), ProcessHandle.current().children().toList());
  }

  /** A job whose files are gone cannot be looked into, and the answer says no path. */
  private void assertRefused(HalfCellClient client, Job job) throws IOException {
    Files.delete(run(job).resolve("run.json"));
    ProblemException refused =
        assertThrows(ProblemException.class, () -> client.diagnoseStep(job.id()));
    assertEquals(409, refused.status());
    assertTrue(refused.problem().message().contains("run.json"), refused::toString);
    assertTrue(!refused.problem().message().contains(folder.toString()), refused::toString);
  }

  private static void assertSame(Path run, StepDiagnosis said) {
    CommandLineRun local = CommandLineRun.of("diagnose", run.toString(), "--json");
    assertEquals(0, local.exitCode(), local.err());
    JsonNode report = new JsonMapper().readTree(local.out());
    assertEquals(report.get("half").stringValue(), said.half());
    assertEquals(report.get("scale").doubleValue(), said.scale());
    assertEquals(report.get("best_scale").doubleValue(), said.bestScale().orElseThrow());
    assertEquals(report.get("rows").size(), said.gradients().size());
    for (int i = 0; i < said.gradients().size(); i++) {
      assertSame(report.get("rows").get(i), said.gradients().get(i));
    }
  }

  private static void assertSame(JsonNode row, StepDiagnosis.Gradients said) {
    assertEquals(row.get("path").stringValue(), said.path());
    assertEquals(row.get("parameter").booleanValue(), said.parameter());
    assertEquals(row.get("in_half").booleanValue(), said.inHalf());
    assertEquals(row.get("elements").longValue(), said.elements());
    assertEquals(row.get("zeros").longValue(), said.zeros());
    assertEquals(row.get("flushed").longValue(), said.flushed());
    assertEquals(row.get("subnormal").longValue(), said.subnormal());
    long counted =
        IntStream.range(0, said.counts().size())
            .mapToLong(
                i -> {
                  long count = said.counts().get(i);
                  String exponent = String.valueOf(said.leastExponent() + i);
                  assertEquals(row.get("exponents").path(exponent).asLong(0), count);
                  return count;
                })
            .sum();
    assertEquals(said.elements() - said.zeros() - said.nonFinite(), counted);
  }
}
