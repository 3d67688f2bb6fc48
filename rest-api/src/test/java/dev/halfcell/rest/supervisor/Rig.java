package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.Workers.Stop;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.rest.tracing.Tracing;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A supervisor with real workers on a store that outlives it, as a database does. */
final class Rig implements AutoCloseable {
  /** What the process of a tiny network holds at the most. */
  static final long ESTIMATE = 400L << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  final JobStore store;
  final EventHub hub = new EventHub();
  final WorkerSettings settings;
  Supervisor supervisor;

  Rig(Path folder) {
    this(folder, Timing.usual(), real());
  }

  Rig(Path folder, Timing timing, WorkerCommand command) {
    this(store(folder), settings(folder, timing, command));
  }

  Rig(JobStore store, WorkerSettings settings) {
    this.store = store;
    this.settings = settings;
    this.supervisor = Supervisor.start(settings, store, hub);
  }

  /** The one in a folder; each call is another process's view of the same jobs. */
  static JobStore store(Path folder) {
    return SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("jobs.sqlite")));
  }

  /** Real workers, as nice as the tests: where much else runs, nicer ones hardly get on. */
  static WorkerCommand real() {
    return socket ->
        WorkerCommand.ofThisProgram().of(socket).stream()
            .filter(word -> !Set.of("nice", "-n", "10").contains(word))
            .toList();
  }

  static WorkerSettings settings(Path folder, Timing timing, WorkerCommand command) {
    return settings(folder, timing, command, Optional.empty());
  }

  /** Those of a server that was told where data is looked for. */
  static WorkerSettings settings(
      Path folder, Timing timing, WorkerCommand command, Optional<String> data) {
    return settings(folder, timing, command, data, Optional.empty());
  }

  /** Those of a server whose files of jobs are there as long as a mark is. */
  static WorkerSettings settings(
      Path folder,
      Timing timing,
      WorkerCommand command,
      Optional<String> data,
      Optional<Path> mark) {
    return new WorkerSettings(
        "here",
        2,
        1L << 40,
        WorkerSettings.MARGIN,
        folder,
        folders(folder),
        mark,
        data,
        command,
        timing,
        Tracing.none());
  }

  /** Where the files of its jobs are. */
  static JobFolders folders(Path folder) {
    return new JobFolders(folder.resolve("jobs"));
  }

  /** A tiny training of so many steps. */
  static JobSpecification tiny(int steps) {
    return JobSpecification.of("lenet5")
        .with("/dataset", Map.of("name", "synthetic"))
        .with("/training/steps", steps)
        .with("/precision/level", "O2")
        .with("/device", "cpu");
  }

  JobId submit(JobSpecification specification) {
    return submit(specification, Optional.empty(), ESTIMATE);
  }

  JobId submit(JobSpecification specification, Optional<Origin> origin, long estimate) {
    return submit(JobId.random(new SecureRandom()), specification, origin, estimate);
  }

  JobId submit(JobId id, JobSpecification specification, Optional<Origin> origin, long estimate) {
    var _ =
        store.accept(
            new NewJob(
                id,
                "local",
                Optional.empty(),
                Optional.empty(),
                new Description(Optional.empty(), Map.of(), Optional.empty(), 0, false),
                "lenet5",
                "O2",
                specification.json(),
                specification.resolved().json(),
                estimate,
                origin,
                Optional.of("ab".repeat(16)),
                Instant.now()),
            new AcceptLimits(100, 100));
    supervisor.queueChanged();
    return id;
  }

  Job job(JobId id) {
    return store.find(id).orElseThrow();
  }

  Job await(JobId id, JobState state) {
    return await(id, job -> job.state() == state, state.name());
  }

  Job awaitEnd(JobId id) {
    return await(id, job -> job.state().terminal(), "an end");
  }

  /** Until so many steps of it are told. */
  Job awaitStep(JobId id, long step) {
    return await(
        id,
        job ->
            job.state() == JobState.RUNNING
                && job.summary().progress().filter(at -> at.step() >= step).isPresent(),
        "step " + step);
  }

  Job await(JobId id, Predicate<Job> until, String what) {
    Instant end = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(end)) {
      Job job = job(id);
      if (until.test(job)) {
        return job;
      }
      sleep(10);
    }
    return fail("waited for " + what + ", got " + job(id) + "\n" + log(id));
  }

  static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  String log(JobId id) {
    Path log = settings.folders().log(id);
    try {
      return Files.exists(log) ? Files.readString(log) : "no log";
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As the service does it. */
  void cancel(JobId id) {
    ask(id, JobAction.ASK_CANCEL, Code.CANCELLING);
    supervisor.stop(id, Stop.CANCEL);
  }

  void pause(JobId id) {
    ask(id, JobAction.ASK_PAUSE, Code.PAUSING);
    supervisor.stop(id, Stop.PAUSE);
  }

  void resume(JobId id) {
    ask(id, JobAction.QUEUE, Code.WAITING_FOR_WORKER);
    supervisor.queueChanged();
  }

  /** As the service does it. */
  void prioritize(JobId id, int priority) {
    DescriptionChange change =
        new DescriptionChange(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(priority),
            Optional.empty());
    var _ = store.describe(id, change);
    supervisor.queueChanged();
  }

  void ask(JobId id, JobAction action, Code code) {
    var _ = store.apply(id, Transition.of(action, new StatusReason(code, "asked", Instant.now())));
  }

  long pid(JobId id) {
    return job(id).attempts().getLast().pid().orElseThrow();
  }

  byte[] model(JobId id) throws IOException {
    return Files.readAllBytes(settings.folders().run(id).resolve("model.safetensors"));
  }

  /** The model that the same training gives in this process. */
  static byte[] modelOf(JobSpecification specification, Path folder) throws IOException {
    try (TrainingRun run = TrainingRun.open(specification, Optional.empty())) {
      RunFolder to = RunFolder.at(folder);
      var _ = run.train(to, _ -> {}, () -> false);
      return Files.readAllBytes(to.model());
    }
  }

  List<JobEvent> events(JobId id) {
    return store.events(id, 0, Integer.MAX_VALUE);
  }

  List<String> states(JobId id) {
    return events(id).stream()
        .filter(event -> event.kind() == EventKind.STATE)
        .map(event -> event.data().replaceAll(".*\"to\":\"([A-Z]+)\".*", "$1"))
        .toList();
  }

  /** The processes whose environment names a job. */
  static long processes(JobId id) {
    Processes processes = Processes.ofThisMachine();
    return processes.all().stream()
        .filter(pid -> id.text().equals(processes.environment(pid).get("HALFCELL_JOB")))
        .count();
  }

  @Override
  public void close() {
    supervisor.close();
    assertEquals(0, supervisor.figures().running());
  }
}
