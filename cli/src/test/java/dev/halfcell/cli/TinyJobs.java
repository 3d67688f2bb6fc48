package dev.halfcell.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** Jobs that a served process trains on a few samples, and how far they are. */
final class TinyJobs {
  private static final String JOB =
      """
      {"network": {"name": "lenet5"}, "device": "cpu", "precision": {"level": "O2"},
       "training": {"steps": %d, "batchSize": 8, "seed": 3}, "checkpoint": {"everySteps": %d}}
      """;

  /** One that trains until it is cancelled. */
  static final String ENDLESS = JOB.formatted(10_000_000, 50);

  /** One that is soon over. */
  static final String SHORT = JOB.formatted(20, 10);

  private TinyJobs() {}

  /** Writes the samples into a folder, and gives the option by which a server finds them. */
  static String settings(Path folder) throws IOException {
    Path samples = TinyFashion.write(Files.createDirectory(folder.resolve("samples")));
    return "--settings="
        + Files.writeString(folder.resolve("settings.yaml"), "dataset: " + samples + "\n");
  }

  /** Submits one under a key and gives its id. */
  static String submit(Served server, String specification, String key)
      throws IOException, InterruptedException {
    return server.submit(specification, key).expect(202).json().get("id").stringValue();
  }

  /** Submits one that trains on, and returns when it has more than so many steps behind it. */
  static String running(Served server, long steps) throws IOException, InterruptedException {
    String id = submit(server, ENDLESS, "running");
    server.await(id, job -> step(job) > steps);
    return id;
  }

  /** The steps that a job has behind it, 0 before it said. */
  static long step(JsonNode job) {
    return job.at("/progress/step").asLong(0);
  }
}
