package dev.halfcell.rest.fuzz;

import dev.halfcell.rest.HalfCellServer;
import dev.halfcell.rest.Housekeeping;
import dev.halfcell.rest.ServerSettings;
import dev.halfcell.rest.http.HttpServerSettings;
import dev.halfcell.rest.http.Tokens;
import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.service.WorkerFigures;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.rest.worker.FromWorker.Diagnosed;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.FromWorker.Result;
import dev.halfcell.rest.worker.StepDiagnoses;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.rest.worker.ToWorker.Task;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A server over a store on disk, whose workers do nothing: what happens to jobs is done here. Jobs
 * of several states are there, some with files.
 */
final class World implements AutoCloseable {
  static final String TOKEN = "root-0123456789abcdef";
  static final String READER = "eye-0123456789abcdef";
  static final int PREPARED = 6;

  private static final Duration LOOK = Duration.ofMillis(200);

  private final JobStore store;
  private final JobFolders folders;
  private final HalfCellServer server;
  private final SecureRandom ids = new SecureRandom();

  private World(Path root) {
    folders = new JobFolders(root);
    CompletableFuture<JobStore> opened = new CompletableFuture<>();
    server =
        HalfCellServer.start(
            new ServerSettings(
                http(),
                Tokens.parse("root admin " + TOKEN + "\neye read " + READER + "\n"),
                folders,
                new Admission.Limits(1L << 32, 1L << 32),
                new AcceptLimits(10_000, 10_000),
                Housekeeping.none(),
                () -> {
                  JobStore made =
                      SqlJobStore.open(new StoreSettings.Sqlite(root.resolve("jobs.db")));
                  opened.complete(made);
                  return made;
                },
                (_, _, _) -> new IdleWorkers(),
                Duration.ofSeconds(1),
                Clock.systemUTC()));
    store = opened.join();
  }

  static World open(Path root) {
    return new World(root);
  }

  private static HttpServerSettings http() {
    HttpServerSettings usual = HttpServerSettings.defaults().at("127.0.0.1", 0);
    HttpServerSettings.Deadlines deadlines = usual.deadlines();
    HttpServerSettings.Limits limits = usual.limits();
    return usual
        .with(
            new HttpServerSettings.Deadlines(
                deadlines.head(), deadlines.body(), deadlines.idle(), deadlines.heartbeat(), LOOK))
        .with(
            new HttpServerSettings.Limits(
                limits.connections(),
                limits.streams(),
                limits.bodyBytes(),
                limits.streamBytes(),
                1e9,
                1e9));
  }

  int port() {
    return server.port();
  }

  /** The jobs that are there, the oldest first. */
  Set<String> jobs() {
    return listed().stream()
        .map(job -> job.id().text())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<JobSummary> listed() {
    return store
        .list(
            new JobQuery(
                Optional.empty(),
                Set.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                JobQuery.Order.OLDEST,
                Optional.empty(),
                10_000))
        .jobs();
  }

  /** Deletes all jobs there are, and makes some in the states that jobs have. */
  void renew() throws IOException {
    for (JobSummary job : listed()) {
      if (!job.state().terminal()) {
        act(job.id(), JobAction.ASK_CANCEL);
      }
      if (job.state().held()) {
        act(job.id(), JobAction.LOSE);
      }
    }
    // All are over before the first is deleted: one may be what another goes on from.
    for (JobSummary job : listed()) {
      store.delete(job.id());
    }
    JobId running = claimed();
    files(running);
    JobId succeeded = claimed();
    files(succeeded);
    act(succeeded, JobAction.COMPLETE);
    JobId failed = claimed();
    files(failed);
    act(failed, JobAction.FAIL);
    submit();
    act(submit(), JobAction.ASK_PAUSE);
    act(submit(), JobAction.ASK_CANCEL);
  }

  private JobId submit() {
    JobSpecification lenet = JobSpecification.of("lenet5");
    JobId id = JobId.random(ids);
    store.accept(
        new NewJob(
            id,
            "root",
            Optional.empty(),
            Optional.empty(),
            new Description(Optional.of("made here"), Map.of(), Optional.empty(), 0, false),
            "lenet5",
            "O2",
            lenet.json(),
            lenet.resolved().json(),
            1,
            Optional.empty(),
            Optional.empty(),
            Instant.now()),
        new AcceptLimits(10_000, 10_000));
    return id;
  }

  /** A job that runs; no other may wait. */
  JobId claimed() {
    JobId id = submit();
    Instant now = Instant.now();
    Job job =
        store
            .claim(new Claim("fuzz", Long.MAX_VALUE, Long.MAX_VALUE, now, now.plusSeconds(3_600)))
            .orElseThrow()
            .job();
    if (!job.id().equals(id)) {
      throw new IllegalStateException("another job was first");
    }
    act(id, JobAction.BEGIN);
    return id;
  }

  /** Does what can be done; what cannot is refused. */
  void act(JobId job, JobAction... actions) {
    for (JobAction action : actions) {
      StatusReason reason =
          new StatusReason(StatusReason.Code.TRAINING, "As the test has it.", Instant.now());
      Optional<Failure> failure =
          action == JobAction.FAIL
              ? Optional.of(
                  new Failure(
                      "internal", "It broke.", Optional.empty(), Optional.empty(), false, true, ""))
              : Optional.empty();
      store.apply(job, new Transition(action, reason, Optional.empty(), Optional.empty(), failure));
    }
  }

  /** What a job that ran has written. */
  void files(JobId job) throws IOException {
    Path run = folders.run(job);
    Files.createDirectories(run.resolve("checkpoints"));
    Files.write(run.resolve("model.safetensors"), new byte[1_000]);
    Files.writeString(run.resolve("summary.json"), "{\"test_accuracy\": 0.5}");
    Files.writeString(
        run.resolve("metrics.jsonl"),
        ("{\"step\":1,\"epoch\":1,\"loss\":2.5,\"scale\":1024,\"overflow\":false,\"applied\":true,"
            + "\"next_scale\":1024,\"lr\":0.1,\"step_ms\":1.5,\"data_wait_ms\":0.1}\n"));
    Files.createFile(run.resolve("checkpoints").resolve("step-000000000001.safetensors"));
    Files.writeString(folders.log(job), "one\ntwo\nthree\n");
  }

  @Override
  public void close() {
    server.close();
  }

  private static final class IdleWorkers implements RunningWorkers {
    @Override
    public void queueChanged() {}

    @Override
    public void stop(JobId job, Stop why) {}

    @Override
    public <R extends Result> R perform(
        JobId job, Task<R> asked, long bytes, CompletionStage<Void> left) {
      Result said =
          switch (asked) {
            case Predict samples -> predicted(samples);
            case Diagnose _ -> new Diagnosed(StepDiagnoses.FINITE);
          };
      return asked.due(said).orElseThrow();
    }

    private static Predicted predicted(Predict asked) {
      List<Prediction> all =
          IntStream.range(0, asked.sizes().getFirst())
              .mapToObj(
                  n ->
                      new Prediction(
                          n,
                          List.of(1.0),
                          List.of(1.0),
                          List.of(new Prediction.Guess(0, Optional.of("Boot"), 1.0))))
              .toList();
      return new Predicted(all, "O2", "bf16", "cpu");
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public WorkerFigures figures() {
      return new WorkerFigures(0, 0, 0);
    }

    @Override
    public void drain(Duration atMost) {}

    @Override
    public void close() {}
  }
}
