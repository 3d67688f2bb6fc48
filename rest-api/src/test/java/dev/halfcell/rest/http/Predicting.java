package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.zoo.run.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server over models that do not run: what they are asked is kept. */
abstract class Predicting {
  static final String PATH = "/v1/predictions";
  static final String IMAGE = row(28, row(28, "0"));

  @TempDir private Path root;
  final BlockingQueue<Predict> asked = new LinkedBlockingQueue<>();
  TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(root);
    server.workers().perform((_, what, _, _) -> answer((Predict) what));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  static String row(int size, String number) {
    return "[" + String.join(",", Stream.generate(() -> number).limit(size).toList()) + "]";
  }

  Predicted answer(Predict what) {
    asked.add(what);
    return predicted(what.sizes().getFirst());
  }

  private static Predicted predicted(int samples) {
    List<Prediction> all =
        Stream.iterate(0, n -> n + 1)
            .limit(samples)
            .map(
                n ->
                    new Prediction(
                        n,
                        List.of(0.1 + 0.2, -1.0),
                        List.of(0.75, 0.25),
                        List.of(new Prediction.Guess(0, Optional.of("Boot"), 0.75))))
            .toList();
    return new Predicted(all, "O2", "bf16", "cpu");
  }

  /** A job that has succeeded, and left a model. */
  JobId trained() throws IOException {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
    Path run = Files.createDirectories(server.folders().run(job));
    Files.writeString(run.resolve("model.safetensors"), "values");
    return job;
  }

  static String body(JobId job, String inputs, String more) {
    return "{\"job\": \"" + job + "\", \"inputs\": " + inputs + more + "}";
  }
}
