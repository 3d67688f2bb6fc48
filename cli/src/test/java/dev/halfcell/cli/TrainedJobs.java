package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.client.Artifact;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What must be so of jobs that were trained to their end, whatever was killed meanwhile. */
final class TrainedJobs {
  private TrainedJobs() {}

  /** The run that a specification comes to on the command line. */
  static Path onTheCommandLine(String specification, Path data, Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("job.json"), specification);
    Path to = folder.resolve("run");
    CommandLineRun run =
        CommandLineRun.of("train", "--quiet", "--config=" + file, "--data=" + data, "--out=" + to);
    assertEquals(0, run.exitCode(), run::err);
    return to;
  }

  /**
   * Follows a job to its end; events have no gap, none comes twice, and one tells of success.
   *
   * @return all of them
   */
  static List<Event> awaitSuccess(HalfCellClient client, String job) {
    try (JobEvents events = client.events(job, 0)) {
      List<Event> all = new ArrayList<>();
      long last = 0;
      int successes = 0;
      for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
        long number = event.get().number();
        assertEquals(last + 1, number, "events have no gap");
        last = number;
        all.add(event.get());
        if (event.get().text("to").equals(Optional.of("SUCCEEDED"))) {
          successes++;
        }
      }
      Job ended = client.job(job);
      assertEquals("SUCCEEDED", events.outcome().orElseThrow().name(), ended::toString);
      assertEquals(1, successes, ended::toString);
      return all;
    }
  }

  /** The job's model and series are those of a run. */
  static void assertSame(Path run, HalfCellClient client, String job, Path folder)
      throws IOException {
    Path fetched = folder.resolve("fetched-" + job);
    for (Artifact artifact : client.artifacts(job)) {
      client.fetch(job, artifact, fetched);
    }
    assertArrayEquals(
        Files.readAllBytes(run.resolve("model.safetensors")),
        Files.readAllBytes(fetched.resolve("model.safetensors")));
    assertEquals(
        timeless(run.resolve("metrics.jsonl")), timeless(fetched.resolve("metrics.jsonl")));
  }

  /** All that its steps say but how long they took. */
  private static List<String> timeless(Path metrics) throws IOException {
    JsonMapper json = new JsonMapper();
    List<String> steps = new ArrayList<>();
    for (String line : Files.readAllLines(metrics)) {
      JsonNode step = json.readTree(line);
      steps.add(step.path("step") + " " + step.path("loss") + " " + step.path("scale"));
    }
    return steps;
  }
}
