package dev.halfcell.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many read the state of a job: it is told fast, and the job trains on. */
@Tag("slow")
final class StatusLoadTest {
  private static final int CLIENTS = 64;
  private static final int WARM = Size.of(3, 10);

  @TempDir private Path folder;

  private final Goals goals = new Goals();

  private static Readers readers(MeasuredService service, String job) {
    return new Readers(service.port(), KeptConnection.request("GET", "/v1/jobs/" + job), CLIENTS);
  }

  private void errors(String goal, Readers.Outcome outcome) {
    goals.never(goal + ", answers other than 200", outcome.failed(), outcome.errors());
  }

  /** G13. */
  @Test
  void statusIsReadWhileAJobTrains() throws Exception {
    try (MeasuredService service = MeasuredService.start(folder, 1, "dataset: embedded");
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(Jobs.endless());
      jobs.awaitStep(job, 100);
      var _ = readers(service, job).often(Duration.ofSeconds(WARM));
      Duration time = Size.seconds(5, 30);
      Jobs.Step before = jobs.step(job);
      Readers.Outcome often = readers(service, job).often(time);
      Jobs.Step between = jobs.step(job);
      Readers.Outcome steadily = readers(service, job).steadily(2_000, time);
      Jobs.Step after = jobs.step(job);
      Goals.note("%.0f requests/s: %s", often.perSecond(), often.answers());
      Goals.note("%.0f requests/s: %s", steadily.perSecond(), steadily.answers());
      Goals.note(
          "steps/s: %.0f and %.0f", before.perSecondUntil(between), between.perSecondUntil(after));
      errors("G13 while a job trains", often);
      errors("G13 at 2,000 requests/s while a job trains", steadily);
      goals.atLeast("G13 status reads while a job trains", 2_000, often.perSecond(), "/s");
      goals.atMost(
          "G13 p99 of status reads, 64 clients without a pause, while a job trains",
          50,
          often.answers().percentile(99),
          "ms");
      goals.atMost(
          "G13 p99 of status reads at 2,000/s while a job trains",
          50,
          steadily.answers().percentile(99),
          "ms");
      goals.never("G13 the job trains on", after.step() > before.step() ? 0 : 1, after);
    }
    goals.check();
  }

  /** G13, where nothing trains. */
  @Test
  void statusIsReadFromAnIdleServer() throws Exception {
    try (MeasuredService service = MeasuredService.start(folder, 1, "dataset: embedded");
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(Jobs.ofSteps(10));
      jobs.awaitEnd(job, Duration.ofSeconds(60));
      var _ = readers(service, job).often(Duration.ofSeconds(WARM));
      ServerFigures before = service.figures();
      Readers.Outcome outcome = readers(service, job).often(Size.seconds(5, 20));
      ServerFigures after = service.figures();
      errors("G13 idle", outcome);
      Goals.note("%.0f requests/s: %s", outcome.perSecond(), outcome.answers());
      Goals.note(
          "the server took %.0f us of a processor for each",
          (after.ticks() - before.ticks()) * 1e4 / outcome.answers().count());
      goals.atLeast("G13 status reads, idle", 10_000, outcome.perSecond(), "/s");
    }
    goals.check();
  }

  /** The line of issue 14: training goes on beside 500 requests a second. */
  @Test
  void aJobKeepsMostOfItsSpeed() throws Exception {
    try (MeasuredService service = MeasuredService.start(folder, 1, "dataset: embedded");
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(Jobs.endless());
      jobs.awaitStep(job, 100);
      // As many as are measured: after more, its threads would not be bound to processors for a
      // while.
      var _ = readers(service, job).steadily(500, Duration.ofSeconds(WARM));
      Duration time = Size.seconds(3, 12);
      double alone = 0;
      double beside = 0;
      int turns = 2;
      for (int turn = 0; turn < turns; turn++) {
        alone += stepsAlone(jobs, job, time) / turns;
        Jobs.Step before = jobs.step(job);
        Readers.Outcome outcome = readers(service, job).steadily(500, time);
        beside += before.perSecondUntil(jobs.step(job)) / turns;
        errors("reads at 500/s", outcome);
        Goals.note("at 500 requests/s: %s", outcome.answers());
      }
      Goals.note("steps/s: %.0f alone, %.0f beside 500 requests/s", alone, beside);
      goals.atLeast("steps/s kept beside 500 status reads/s", 60, beside / alone * 100, "%");
    }
    goals.check();
  }

  private static double stepsAlone(Jobs jobs, String job, Duration time)
      throws IOException, InterruptedException {
    Jobs.Step before = jobs.step(job);
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
    return before.perSecondUntil(jobs.step(job));
  }
}
