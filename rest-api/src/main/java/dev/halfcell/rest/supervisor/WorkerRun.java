package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.service.JobLogWriter;
import dev.halfcell.rest.service.Workers.Stop;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.Report;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.rest.tracing.Part;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.ProtocolException;
import dev.halfcell.rest.worker.ToWorker;
import dev.halfcell.rest.worker.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * One worker from its start to the end of its process, and what its job becomes by that. A thread
 * of its own starts it, hears it and waits for it; others may stop it.
 */
final class WorkerRun {
  private static final long RETRY_MILLISECONDS = 200;
  private static final String RESIDENT = "residentBytes";

  /** What a process has printed is read by then, unless another process holds its end. */
  private static final Duration LAST_LINES = Duration.ofSeconds(2);

  private final Job job;
  private final Fence fence;
  private final WorkerHouse house;
  private final WorkerControl control;
  private final Instant since = Instant.now();
  private final Optional<Trace> part;
  private Optional<FromWorker.End> said = Optional.empty();
  private volatile Optional<Long> step = Optional.empty();
  private volatile int priority;
  private volatile boolean givenUp;

  /** That of a job which was claimed. */
  WorkerRun(Job job, String server, WorkerHouse house) {
    this.job = job;
    this.house = house;
    this.fence = new Fence(job.id(), server, job.attempts().getLast().number());
    this.priority = job.summary().description().priority();
    this.part = trace().map(id -> Trace.of(id, ThreadLocalRandom.current()));
    this.control = new WorkerControl(WorkerBounds.of(job, house.settings()), house);
  }

  Job job() {
    return job;
  }

  Fence fence() {
    return fence;
  }

  /** What its job's priority is by now. */
  void priority(int now) {
    priority = now;
  }

  /** The place that it holds. */
  Preemption.Holder<WorkerRun> holder() {
    long bytes = job.summary().estimatedBytes();
    return new Preemption.Holder<>(this, priority, bytes, since, control.ending());
  }

  /** By which it is watched and stopped. */
  WorkerControl control() {
    return control;
  }

  /** What is not in the store yet will not come there any more: the server closes. */
  void giveUp() {
    givenUp = true;
  }

  /** Runs it; returns when its process is gone and its job has moved. */
  void run() {
    WorkerSocket.Expected worker = house.socket().expect(job.id().text(), fence.attempt());
    Exit exit;
    try {
      exit = work(worker);
    } finally {
      house.socket().forget(worker);
    }
    settle(exit);
  }

  private Exit work(WorkerSocket.Expected worker) {
    Optional<Process> process =
        control.launch(() -> house.launcher().start(fence, worker.secret(), part));
    if (process.isEmpty()) {
      return new Exit(Optional.empty(), Optional.empty(), false);
    }
    var _ = process.get().onExit().thenRun(() -> house.socket().forget(worker));
    tell(
        new Report(
            Optional.of(process.get().pid()),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            List.of()));
    LogPump log = pump().start(process.get().getInputStream());
    worker.wire().join().ifPresent(this::converse);
    int code = control.awaitExit(process.get());
    log.finish(LAST_LINES);
    boolean signalled = code > 128;
    return new Exit(
        signalled ? Optional.empty() : Optional.of(code),
        signalled ? Optional.of(code - 128) : Optional.empty(),
        said.isPresent());
  }

  private LogPump pump() {
    return new LogPump(
        house.settings().folders().log(job.id()),
        JobLogWriter.USUAL,
        fence.attempt(),
        trace(),
        () -> step);
  }

  private Optional<String> trace() {
    return job.summary().trace();
  }

  /** For the server's own log. */
  String name() {
    return "job " + job.id() + trace().map(id -> " (trace " + id + ")").orElse("");
  }

  private void converse(Wire wire) {
    try (wire) {
      wire.send(begin());
      control.connected(wire);
      for (Optional<FromWorker> message = heard(wire); message.isPresent(); message = heard(wire)) {
        take(message.get());
      }
    } catch (ProtocolException e) {
      control.cut(new Cut.Broken(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      Log.warning("the connection to the worker of " + name() + " broke", e);
    } finally {
      control.disconnected();
    }
  }

  private Optional<FromWorker> heard(Wire wire) throws IOException, ProtocolException {
    control.listens();
    try {
      return wire.fromWorker();
    } finally {
      control.works();
    }
  }

  private ToWorker begin() {
    return new ToWorker.Begin(
        job.resolved(),
        house.settings().folders().run(job.id()).toAbsolutePath().toString(),
        house.settings().dataset(),
        job.attempts().stream().anyMatch(attempt -> attempt.fromStep().isPresent()),
        job.summary().resumedFrom().map(this::source));
  }

  private ToWorker.Source source(Origin origin) {
    Path run = house.settings().folders().run(origin.job()).toAbsolutePath();
    return new ToWorker.Source(run.toString(), origin.checkpoint());
  }

  private void take(FromWorker message) throws ProtocolException {
    require(said.isEmpty(), "nothing was due behind the end, got more");
    switch (message) {
      case FromWorker.Hello _ -> throw new ProtocolException("hello came a second time");
      case FromWorker.Beat(long resident) -> control.holds(resident);
      case FromWorker.Began(long fromStep) -> began(fromStep);
      case FromWorker.Result _ -> throw new ProtocolException("a training has no task");
      case FromWorker.Told told -> told(told);
      case FromWorker.End end -> {
        said = Optional.of(end);
        control.ends();
      }
    }
  }

  private void began(long fromStep) throws ProtocolException {
    require(!control.begun(), "began came a second time");
    control.begins();
    StatusReason reason =
        new StatusReason(
            Code.TRAINING,
            fromStep == 0 ? "trains" : "trains on after step " + fromStep,
            Instant.now());
    kept(() -> house.ledger().apply(job.id(), Transition.of(JobAction.BEGIN, reason, fence)))
        .ifPresent(this::begun);
    step = Optional.of(fromStep);
    tell(new Report(Optional.empty(), step, Optional.empty(), Map.of(), List.of()));
  }

  private void begun(Applied applied) {
    switch (applied) {
      case Applied.Moved _ -> {}
      case Applied.Stayed(Job now) -> {
        if (now.state() == JobState.CANCELLING) {
          control.stop(Stop.CANCEL);
        }
      }
      case Applied.Refused _, Applied.Fenced _, Applied.Missing _ -> control.cut(new Cut.Fenced());
    }
  }

  private void told(FromWorker.Told told) throws ProtocolException {
    require(control.begun(), "began was due before told");
    if (told.progress().isPresent()) {
      long now = told.progress().get().step();
      require(now >= step.orElse(0L), "steps went back from " + step.orElse(0L) + " to " + now);
      step = Optional.of(now);
    }
    tell(
        new Report(
            Optional.empty(), Optional.empty(), told.progress(), metrics(told), told.events()));
  }

  /** What it measured, and the memory that it was seen to hold; that is the system's word. */
  private Map<String, Double> metrics(FromWorker.Told told) {
    Map<String, Double> metrics = new LinkedHashMap<>(told.metrics());
    if (told.progress().isPresent() && control.mostResident() > 0) {
      metrics.put(RESIDENT, (double) control.mostResident());
    }
    return metrics;
  }

  /** Telling is lost where the store cannot be written for a moment; the training goes on. */
  private void tell(Report report) {
    try {
      if (!house.ledger().report(fence, report)) {
        control.cut(new Cut.Fenced());
      }
    } catch (StoreException e) {
      Log.warning("what happened in " + name() + " could not be kept", e);
    }
  }

  private static void require(boolean holds, String otherwise) throws ProtocolException {
    if (!holds) {
      throw new ProtocolException(otherwise);
    }
  }

  private void settle(Exit exit) {
    WorkerEnd end =
        new WorkerEnd(
            said,
            control.why(),
            control.stopped(),
            exit,
            house.files().areThere(),
            results(),
            step,
            control.mostResident(),
            LogTail.of(new JobLog(house.settings().folders().log(job.id()))));
    end.verdict()
        .ifPresent(
            verdict -> {
              settle(verdict, exit);
              trace(verdict);
            });
  }

  private void settle(Verdict verdict, Exit exit) {
    Optional<Applied> applied = kept(() -> house.ledger().apply(job.id(), verdict.of(fence, exit)));
    if (applied.orElse(null) instanceof Applied.Moved(Job moved, _)
        && moved.state() == JobState.INTERRUPTED) {
      var _ =
          kept(
              () -> {
                house.recovery().again(moved);
                return moved;
              });
    }
  }

  private void trace(Verdict verdict) {
    part.ifPresent(ids -> house.settings().tracing().tell(() -> attempt(ids, verdict)));
  }

  private Part attempt(Trace ids, Verdict verdict) {
    return new Part(
        ids,
        false,
        "train",
        since,
        Instant.now(),
        Map.of(
            "halfcell.job.id", job.id().text(),
            "halfcell.network", job.summary().network(),
            "halfcell.level", job.summary().level(),
            "halfcell.outcome", verdict.code().name()),
        Map.of("halfcell.attempt", (long) fence.attempt()),
        verdict.failure().map(_ -> verdict.message()));
  }

  private boolean results() {
    Path run = house.settings().folders().run(job.id());
    return Files.isRegularFile(run.resolve("model.safetensors"))
        && Files.isRegularFile(run.resolve("summary.json"));
  }

  /** Does what must come into the store, as often as it takes; nothing where the server closes. */
  private <T> Optional<T> kept(Supplier<T> writing) {
    boolean told = false;
    while (true) {
      try {
        return Optional.of(writing.get());
      } catch (StoreException e) {
        if (givenUp) {
          return Optional.empty();
        }
        if (!told) {
          Log.warning("the state of " + name() + " is written as soon as it can be", e);
          told = true;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The time that earlier attempts took. */
  static Duration spent(List<Attempt> attempts) {
    return attempts.stream()
        .flatMap(
            attempt ->
                attempt.endedAt().stream().map(end -> Duration.between(attempt.startedAt(), end)))
        .filter(each -> !each.isNegative()) // a clock may be set back
        .reduce(Duration.ZERO, Duration::plus);
  }
}
