package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.JobLog;
import dev.halfcell.rest.client.LogFilter;
import dev.halfcell.rest.client.LogLine;
import dev.halfcell.rest.client.LogPart;
import dev.halfcell.rest.client.Metrics;
import dev.halfcell.rest.client.Metrics.Point;
import dev.halfcell.rest.client.MetricsFilter;
import dev.halfcell.rest.client.Plan;
import dev.halfcell.rest.client.PlanRequest;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What the client reads of a job's logs, curves and plan is what the server has. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientReadingTest {
  private static final String NOBODY = "0".repeat(32);
  private static final String TRACE = "ab".repeat(16);
  private static final LogLine BEGINS = stamped("001", "info", "begins", 1, Optional.empty());
  private static final LogLine ODD = stamped("002", "warning", "odd", 1, Optional.of(20L));
  private static final LogLine BROKE = stamped("003", "error", "broke", 2, Optional.of(21L));
  private static final LogLine PLAIN =
      new LogLine(
          Optional.empty(),
          "info",
          "not stamped: ü",
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
  private static final String FIRST = text("001", "INFO attempt=1", "begins");
  private static final String LOG =
      FIRST
          + text("002", "WARNING attempt=1 step=20", "odd")
          + text("003", "ERROR attempt=2 step=21", "broke")
          + "not stamped: ü\n";
  private static final long LOG_BYTES = LOG.length() + 1L;

  private static final String ROWS =
      """
      {"step":1,"epoch":1,"loss":2.5,"scale":1024,"overflow":false,"applied":true}
      {"step":2,"epoch":1,"loss":null,"scale":1024,"overflow":true,"applied":false}
      {"step":3,"epoch":1,"loss":0.5,"scale":512,"overflow":false,"applied":true}
      {"epoch":1,"test_accuracy":0.25,"test_loss":null}
      {"step":4,"epoch":2,"loss":0.25,"scale":512,"overflow":false,"applied":true}
      """;
  private static final Metrics.Epoch EPOCH =
      new Metrics.Epoch(1, 3, Map.of("test_accuracy", 0.25, "test_loss", Double.NaN));

  private TestServer server;
  private HalfCellClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    server = TestServer.start(root);
    client =
        new HalfCellClient(
            ClientSettings.at("http://127.0.0.1:" + server.port())
                .withPatience(Duration.ofSeconds(5)));
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  private static LogLine stamped(
      String millis, String level, String message, int attempt, Optional<Long> step) {
    return new LogLine(
        Optional.of(Instant.parse("2026-11-22T22:00:00." + millis + "Z")),
        level,
        message,
        Optional.of(attempt),
        step,
        Optional.of(TRACE));
  }

  private static String text(String millis, String stamp, String message) {
    return "2026-11-22T22:00:00."
        + millis
        + "Z "
        + stamp
        + " trace="
        + TRACE
        + " "
        + message
        + "\n";
  }

  private String logged() throws IOException {
    JobId job = server.submit();
    Files.createDirectories(server.folders().of(job));
    Files.writeString(server.folders().log(job), LOG);
    return job.text();
  }

  private String measured() throws IOException {
    JobId job = server.submit();
    Path run = Files.createDirectories(server.folders().run(job));
    Files.writeString(run.resolve("metrics.jsonl"), ROWS);
    return job.text();
  }

  private static void assertRefused(int status, String pointer, Executable call) {
    ProblemException e = assertThrows(ProblemException.class, call);
    assertEquals(status, e.status(), e.problem().message());
    assertEquals(
        pointer.isEmpty() ? List.of() : List.of(pointer),
        e.errors().stream().map(error -> error.pointer()).toList());
  }

  @Test
  void aLogIsReadLineByLine() throws IOException {
    String job = logged();
    assertEquals(
        new JobLog(List.of(BEGINS, ODD, BROKE, PLAIN), LOG_BYTES),
        client.logs(job, LogFilter.all()));
    assertEquals(new JobLog(List.of(), 0), client.logs(server.submit().text(), LogFilter.all()));
  }

  @Test
  void linesOfALogAreChosen() throws IOException {
    String job = logged();
    LogFilter warnings = LogFilter.all().atLevel("warning");
    assertEquals(List.of(ODD, BROKE), client.logs(job, warnings).lines());
    assertEquals(List.of(BROKE), client.logs(job, warnings.withTail(1)).lines());
    assertEquals(List.of(BROKE, PLAIN), client.logs(job, LogFilter.all().withTail(2)).lines());
    JobLog rest = client.logs(job, LogFilter.all().withSince(FIRST.length()));
    assertEquals(new JobLog(List.of(ODD, BROKE, PLAIN), LOG_BYTES), rest);
    Files.writeString(
        server.folders().log(new JobId(job)), LOG + text("004", "DEBUG attempt=2", "more"));
    JobLog more = client.logs(job, LogFilter.all().withSince(rest.position()));
    assertEquals(List.of(stamped("004", "debug", "more", 2, Optional.empty())), more.lines());
    assertRefused(422, "/query/level", () -> client.logs(job, LogFilter.all().atLevel("loud")));
    assertRefused(404, "", () -> client.logs(NOBODY, LogFilter.all()));
  }

  @Test
  void bytesOfALogAreReadAsTheyAre() throws IOException {
    String job = logged();
    LogPart stamp = client.logPart(job, 0, 24);
    assertEquals("2026-11-22T22:00:00.001Z", new String(stamp.bytes(), StandardCharsets.UTF_8));
    assertEquals(0, stamp.from());
    assertEquals(24, stamp.end());
    assertEquals(LOG_BYTES, stamp.length());
    LogPart last = client.logPart(job, LOG_BYTES - 3, LOG_BYTES + 1000);
    assertEquals("ü\n", new String(last.bytes(), StandardCharsets.UTF_8));
    assertEquals(LOG_BYTES, last.end());
    assertRefused(416, "", () -> client.logPart(job, LOG_BYTES, LOG_BYTES + 1));
    assertRefused(404, "", () -> client.logPart(NOBODY, 0, 1));
    assertThrows(ArgumentException.class, () -> client.logPart(job, 5, 5));
    assertThrows(ArgumentException.class, () -> client.logPart(job, -1, 5));
  }

  private static Point at(long step, double value) {
    return new Point(step, value, value, value);
  }

  @Test
  void curvesAreReadStepByStep() throws IOException {
    Metrics all = client.metrics(measured(), MetricsFilter.all());
    List<Point> loss = List.of(at(1, 2.5), at(2, Double.NaN), at(3, 0.5), at(4, 0.25));
    List<Point> scale = List.of(at(1, 1024), at(2, 1024), at(3, 512), at(4, 512));
    assertEquals(
        new Metrics(
            false,
            4,
            List.of(1L, 2L, 3L, 4L),
            List.of(0, 1, 0, 0),
            Map.of("loss", loss, "scale", scale),
            List.of(EPOCH)),
        all);
    assertEquals(loss, all.points("loss"));
    assertEquals(List.of(), all.points("unheard_of"));
  }

  @Test
  void curvesAreSampledAndCut() throws IOException {
    String job = measured();
    Metrics few = client.metrics(job, MetricsFilter.all().withPoints(3));
    assertTrue(few.sampled());
    assertEquals(4, few.totalPoints());
    assertEquals(List.of(1L, 3L, 4L), few.steps());
    assertEquals(List.of(0, 1, 0), few.overflows());
    assertEquals(List.of(at(1, 2.5), at(3, 0.5), at(4, 0.25)), few.points("loss"));
    assertEquals(new Point(3, 512, 512, 1024), few.points("scale").get(1));
    Metrics middle = client.metrics(job, MetricsFilter.all().withSteps(2, 3));
    assertFalse(middle.sampled());
    assertEquals(2, middle.totalPoints());
    assertEquals(List.of(at(2, 1024), at(3, 512)), middle.points("scale"));
    assertEquals(List.of(EPOCH), middle.epochs());
    assertRefused(
        422, "/query/points", () -> client.metrics(job, MetricsFilter.all().withPoints(1)));
    assertRefused(404, "", () -> client.metrics(NOBODY, MetricsFilter.all()));
  }

  @Test
  void theCurvesOfAJobThatHasNotTrainedAreEmpty() {
    Metrics none = client.metrics(server.submit().text(), MetricsFilter.all());
    assertEquals(new Metrics(false, 0, List.of(), List.of(), Map.of(), List.of()), none);
  }

  @Test
  void aNetworkHasAPlan() {
    PlanRequest lenet = PlanRequest.of("lenet5").atLevel("O2").withHalf("fp16");
    Plan plan = client.plan(lenet);
    assertEquals("O2", plan.level());
    assertEquals("fp16", plan.half());
    assertEquals(
        new Plan.PlannedCell("/", "LeNet5", Optional.empty(), "fp16", "fp32", "level O2"),
        plan.cells().getFirst());
    assertEquals(
        new Plan.PlannedCell("/conv1", "Conv2d", Optional.of("fp32"), "fp16", "fp16", "level O2"),
        plan.cells().get(1));
    assertEquals("SoftmaxCrossEntropyLoss", plan.cells().getLast().cell());
    assertEquals("fp32", plan.cells().getLast().compute());
    assertEquals(14, plan.cells().size());
    assertEquals(List.of(), plan.notes());
    assertEquals(new Plan.Totals(14, 13, 12, 1, 1_269_248, 903_680), plan.totals());
    assertEquals(
        new Plan.Totals(14, 13, 12, 1, 1_269_248 / 64, 903_680 / 64),
        client.plan(lenet.withBatchSize(1)).totals());
    assertEquals(0, client.plan(lenet.atLevel("O0")).totals().cellsInHalf());
    assertRefused(422, "/query/level", () -> client.plan(lenet.atLevel("O9")));
    assertRefused(404, "", () -> client.plan(PlanRequest.of("lenet6")));
    assertRefused(404, "", () -> client.plan(PlanRequest.of("../x")));
  }

  @Test
  void aJobHasAPlanAndItsMemory() {
    JobSpecification job =
        JobSpecification.of("lenet5")
            .with("/precision/half", "bf16")
            .with("/training/batchSize", 32);
    Plan plan = client.plan(client.submit(job).job().id());
    assertEquals("O2", plan.level());
    assertEquals("bf16", plan.half());
    assertEquals(new Plan.Totals(14, 13, 12, 1, 1_269_248 / 2, 903_680 / 2), plan.totals());
    Plan.Memory memory = plan.memory().orElseThrow();
    assertEquals(client.dryRun(job).memory().bytes(), memory.bytes());
    assertEquals(memory.bytes(), memory.parts().values().stream().mapToLong(Long::longValue).sum());
    assertEquals(Optional.empty(), memory.device());
    assertRefused(404, "", () -> client.plan(NOBODY));
  }
}
