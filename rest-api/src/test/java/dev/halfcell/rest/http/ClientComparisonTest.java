package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.Comparison;
import dev.halfcell.rest.client.ComparisonRequest;
import dev.halfcell.rest.client.ComparisonSubmission;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client submits comparisons and reads what comes of them. */
@Timeout(60)
class ClientComparisonTest {
  private static final JobSpecification LENET = JobSpecification.of("lenet5");

  @TempDir private Path root;
  private TestServer server;
  private HalfCellClient client;

  @BeforeEach
  void start() {
    server = TestServer.start(root);
    client =
        new HalfCellClient(
            ClientSettings.at("http://127.0.0.1:" + server.port())
                .withPatience(Duration.ofSeconds(5)));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void succeed(String id, String samplesPerSecond) throws IOException {
    JobId job = new JobId(id);
    Path run = Files.createDirectories(server.folders().run(job));
    String summary =
        """
        {"test_accuracy": 0.75, "test_loss": 0.5, "final_train_loss": 0.25, "overflow_steps": 3,
         "step_ms_median": 1.5, "samples_per_second": %s, "peak_rss_bytes": 1024}"""
            .formatted(samplesPerSecond);
    Files.writeString(run.resolve("summary.json"), summary);
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
  }

  private static Comparison.Results results(Optional<Double> samplesPerSecond) {
    return new Comparison.Results(
        Optional.of(0.75),
        Optional.of(0.5),
        Optional.of(0.25),
        Optional.of(3.0),
        Optional.of(1.5),
        samplesPerSecond,
        Optional.of(1024.0));
  }

  private static String named(Comparison.Row row) {
    return row.level() + " " + row.seed();
  }

  /** That of a level and seed. */
  private static Comparison.Row row(Comparison comparison, String name) {
    return comparison.rows().stream()
        .filter(row -> named(row).equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Set<Comparison.LevelRow> levels(Comparison comparison) {
    return Set.copyOf(comparison.levels());
  }

  @Test
  void aComparisonIsSubmittedOnceAndRead() throws IOException {
    ComparisonRequest request =
        ComparisonRequest.of(LENET, List.of("O0", "O2")).withSeeds(List.of(1L, -2L)).withKey("c");
    ComparisonSubmission made = client.submitComparison(request);
    assertFalse(made.replayed());
    assertEquals(
        List.of("O0 -2", "O0 1", "O2 -2", "O2 1"),
        made.comparison().rows().stream().map(ClientComparisonTest::named).sorted().toList());
    ComparisonSubmission again = client.submitComparison(request);
    assertTrue(again.replayed());
    assertEquals(made.comparison(), again.comparison());
    String first = row(made.comparison(), "O0 1").job();
    String second = row(made.comparison(), "O0 -2").job();
    succeed(first, "100.0");
    Comparison half = client.comparison(made.comparison().id());
    assertFalse(half.ended());
    assertEquals(
        new Comparison.Row(
            first, "O0", 1, JobState.SUCCEEDED, Map.of(), Optional.of(results(Optional.of(100.0)))),
        row(half, "O0 1"));
    assertEquals(
        new Comparison.Row(second, "O0", -2, JobState.QUEUED, Map.of(), Optional.empty()),
        row(half, "O0 -2"));
    succeed(second, "300.0");
    assertEquals(
        Set.of(
            new Comparison.LevelRow("O0", 2, 2, Optional.of(results(Optional.of(200.0)))),
            new Comparison.LevelRow("O2", 2, 0, Optional.empty())),
        levels(client.comparison(made.comparison().id())));
  }

  @Test
  void aComparisonEndsWithItsLastJobAndWhatIsNotKnownIsLeftOut() throws IOException {
    Comparison made =
        client.submitComparison(ComparisonRequest.of(LENET, List.of("O1"))).comparison();
    assertEquals(1, made.rows().size());
    succeed(made.rows().getFirst().job(), "null");
    Comparison ended = client.comparison(made.id());
    assertTrue(ended.ended());
    assertEquals(
        List.of(new Comparison.LevelRow("O1", 1, 1, Optional.of(results(Optional.empty())))),
        ended.levels());
  }

  @Test
  void withoutAKeyOfOnesOwnEachIsAnother() {
    ComparisonRequest request = ComparisonRequest.of(LENET, List.of("O0"));
    ComparisonSubmission first = client.submitComparison(request);
    ComparisonSubmission second = client.submitComparison(request);
    assertFalse(second.replayed());
    assertNotEquals(first.comparison().id(), second.comparison().id());
  }

  @Test
  void comparisonsAreRefused() {
    ProblemException wrong =
        assertThrows(
            ProblemException.class,
            () -> client.submitComparison(ComparisonRequest.of(LENET, List.of("O0", "O9"))));
    assertEquals(422, wrong.status());
    assertEquals("/levels/1", wrong.errors().getFirst().pointer());
    ProblemException none =
        assertThrows(ProblemException.class, () -> client.comparison("0".repeat(32)));
    assertEquals(404, none.status());
    assertThrows(ArgumentException.class, () -> client.comparison("../x"));
  }
}
