package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.Weights;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.host.Cpu;
import dev.halfcell.zoo.host.Memory;
import dev.halfcell.zoo.host.Versions;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Trains what a specification describes and writes what comes of it into a folder. One thread,
 * which {@link #start} may make another than that of the caller.
 *
 * <pre>{@code
 * JobSpecification job = JobSpecification.read(Path.of("job.json"));
 * try (TrainingRun run = TrainingRun.open(job, Optional.empty())) {
 *   Ending ending = run.train(RunFolder.at(Path.of("runs/first")), event -> {}, () -> false);
 * }
 * }</pre>
 */
public final class TrainingRun implements AutoCloseable {
  private final JobSpecification specification;
  private final RunPlace place;
  private final Backend backend;
  private final TrainingJob job;
  private final DataSplit data;
  private final BatchCursor batches;
  private final TrainStepCell train;
  private final RunTotals totals = new RunTotals();
  private final LossCurve curve = new LossCurve();
  private final PrecisionPlan asked;
  private final Map<String, String> identity;
  private final AtomicReference<@Nullable StartedRun> started = new AtomicReference<>();
  private Optional<RunLock> lock = Optional.empty();
  private final MemoryEstimate estimate;

  /**
   * A run that has not begun; the network stands at its start values.
   *
   * @param choice where the data is, as {@link dev.halfcell.zoo.data.DataSetDefinition#open} takes
   *     it
   * @throws dev.halfcell.tensor.ArgumentException where the specification makes no sense
   * @throws dev.halfcell.tensor.DataException where the data cannot be read
   * @throws dev.halfcell.tensor.MemoryException where it needs more memory than it may take
   */
  public static TrainingRun open(JobSpecification specification, Optional<String> choice) {
    JobSpecification resolved = specification.resolved();
    Backend backend = TrainingJob.openBackend(resolved);
    try {
      return new TrainingRun(resolved, choice, backend);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }

  private TrainingRun(JobSpecification resolved, Optional<String> choice, Backend backend) {
    this.specification = resolved;
    this.backend = backend;
    this.data = new Assembly(resolved).openData(choice);
    this.place = new RunPlace(choice, data.train().size());
    this.job = TrainingJob.of(resolved, backend, place.samples());
    // Takes no memory yet, and refuses batches that the data cannot fill before any is planned.
    this.batches = job.batches(data.train());
    try {
      this.estimate = estimate();
      this.train = job.trainCell();
    } catch (RuntimeException | Error e) {
      batches.close();
      throw e;
    }
    this.asked = plan();
    this.identity = RunIdentity.of(resolved, asked, data);
  }

  /** Refuses what needs more than it may take, before anything of it is taken. */
  private MemoryEstimate estimate() {
    DataSetDefinition.Size samples = job.network().data().size().of(data);
    Optional<Long> limit = specification.resources().memoryLimit();
    return limit.isPresent()
        ? job.memory(samples, limit.get(), "the limit of the run (resources.memoryLimit)")
        : job.memory(samples, Memory.total(), "the memory of this machine");
  }

  /** The most memory that it will hold, as it was found before it began. */
  public MemoryEstimate memory() {
    return estimate;
  }

  /** What is trained, with all defaults filled in. */
  public JobSpecification specification() {
    return specification;
  }

  /** Which cell computes how, and why. */
  public PrecisionPlan plan() {
    return train.plan();
  }

  /** The rule of the loss scale. */
  public LossScale lossScale() {
    return train.loop().step().scale();
  }

  /** How its steps are run. */
  public Execution execution() {
    return train.loop().execution();
  }

  /** The cells that were moved to FP32 because they overflowed too often. */
  public List<CellPath> demoted() {
    return plan().cells().entrySet().stream()
        .filter(cell -> cell.getValue().because() instanceof Reason.Demoted)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** What the run is made with. */
  public Settings settings() {
    return new Settings(
        job.network().name(),
        job.level(),
        job.options().precision().half(),
        lossScale().name(),
        train.backend().name(),
        train.backend().threads(),
        data.description(),
        job.length(),
        job.options().run().seed());
  }

  /**
   * Trains to the end, tests, and writes the results; or, where {@code stop} says so, saves the
   * state and ends.
   *
   * @param progress is told of each step after it is written
   * @throws dev.halfcell.tensor.ArgumentException where another run has the folder, naming its
   *     process; this one has it until it is closed
   */
  public Ending train(RunFolder folder, TrainListener progress, BooleanSupplier stop) {
    hold(folder);
    folder.begin(plan().explain(), place, specification);
    return finished(folder, Optional.empty(), progress, stop);
  }

  /**
   * Reads the newest usable checkpoint of a run that {@link #train} began, for {@link #goOn}.
   *
   * @throws dev.halfcell.tensor.DataException where all are damaged or one is of another run, with
   *     all differences
   * @throws dev.halfcell.tensor.ArgumentException where another run has the folder
   */
  public Resumption restore(RunFolder folder) {
    hold(folder);
    var _ = watch(folder);
    return fit(folder).restore(folder);
  }

  private void hold(RunFolder folder) {
    release();
    lock = Optional.of(folder.lock());
    folder.deleteLeftovers();
  }

  private void release() {
    lock.ifPresent(RunLock::close);
    lock = Optional.empty();
  }

  /**
   * Trains on from a checkpoint as {@link #train} would have, in the same environment to the same
   * bits. Lines of the metrics above its step are cut off.
   */
  public Ending goOn(
      RunFolder folder, Resumption from, TrainListener progress, BooleanSupplier stop) {
    from.tellPast(job.length().epochs(), data.train().size(), List.of(totals, curve));
    return finished(folder, Optional.of(from), progress, stop);
  }

  /**
   * Trains as {@link #train} does, on a thread of its own named {@code halfcell-run-<folder>}, on
   * which the listener is called too. From here on this belongs to that thread, which closes it
   * when the training has ended in any way; only {@link #close} may be called on it.
   *
   * @throws UsageException where it was started before
   */
  public StartedRun start(RunFolder folder, TrainListener progress) {
    return inThread(folder, stop -> train(folder, progress, stop));
  }

  /** The same for {@link #goOn}. */
  public StartedRun start(RunFolder folder, Resumption from, TrainListener progress) {
    return inThread(folder, stop -> goOn(folder, from, progress, stop));
  }

  private StartedRun inThread(RunFolder folder, Function<BooleanSupplier, Ending> training) {
    StartedRun run =
        StartedRun.prepared(
            "halfcell-run-" + folder.path().getFileName(),
            stop -> {
              try (Freed _ = this::free) {
                return training.apply(stop);
              }
            });
    if (!started.compareAndSet(null, run)) {
      throw new UsageException(
          new Problem(
              "start",
              folder.path().toString(),
              "a run that was not started",
              "one that was",
              "Open another."));
    }
    try {
      return run.start();
    } catch (RuntimeException | Error e) {
      started.set(null);
      throw e;
    }
  }

  /** What is closed whatever the training throws, and hides nothing of that. */
  @FunctionalInterface
  private interface Freed extends AutoCloseable {
    @Override
    void close();
  }

  private Ending finished(
      RunFolder folder, Optional<Resumption> from, TrainListener progress, BooleanSupplier stop) {
    Optional<PlanReport> memory =
        execution() instanceof Execution.Planned
            ? Optional.of(train.loop().report(fullBatch()))
            : Optional.empty();
    Optional<Path> checkpoint = stopped(folder, from, progress, stop);
    if (!plan().equals(asked)) {
      folder.writePlan(plan().explain());
    }
    return checkpoint.isEmpty() || allSteps() || watch(folder).reached()
        ? tested(folder, memory)
        : new Ending.Interrupted(totals.steps(), checkpoint.get());
  }

  /** The loss over the steps that were taken. */
  public LossCurve loss() {
    return curve;
  }

  /** Whether the first offender of a step that overflows is looked for. */
  public boolean names() {
    return job.options().run().diagnosis().firstOffender();
  }

  /** An epoch that goes on is begun a second time; its totals are not. */
  private TrainListener counting(Optional<Resumption> from) {
    return from.isEmpty()
        ? totals
        : event -> {
          if (!(event instanceof TrainEvent.EpochStarted)) {
            totals.on(event);
          }
        };
  }

  private CheckpointedFit fit(RunFolder folder) {
    CheckpointRule rule = job.checkpoints();
    return new CheckpointedFit(
        train,
        batches,
        job.optimizer().learningRate(),
        rule,
        folder.checkpoints(rule.keep()),
        identity);
  }

  /** Trains; where it is stopped, the checkpoint that was saved. */
  private Optional<Path> stopped(
      RunFolder folder, Optional<Resumption> from, TrainListener progress, BooleanSupplier stop) {
    EpochWatch watch = watch(folder);
    Optional<Integer> tested = specification.training().evaluation().everyEpochs();
    try (RunLogs logs = RunLogs.open(folder, specification.logs(), from);
        EpochEvaluation test =
            new EpochEvaluation(train, data.test(), job.length().batchSize(), tested)) {
      List<TrainListener> listeners = new ArrayList<>(List.of(counting(from), curve));
      listeners.addAll(watch.listeners());
      listeners.add(progress);
      if (names()) {
        listeners.add(new OffenderFiles(folder, train.state()));
      }
      return fit(folder)
          .fit(
              job.length().epochs(),
              logs,
              from.flatMap(Resumption::progress),
              test,
              listeners,
              () -> allSteps() || watch.reached() || stop.getAsBoolean());
    }
  }

  /** What epochs are compared by lies in the state from here on, before one is restored. */
  private EpochWatch watch(RunFolder folder) {
    return EpochWatch.of(specification, train.state(), folder);
  }

  private boolean allSteps() {
    return job.length().steps().isPresent() && totals.steps() >= job.length().steps().getAsInt();
  }

  private Ending tested(RunFolder folder, Optional<PlanReport> memory) {
    Weights.write(train.state(), folder.disk(), folder.model());
    EpochWatch watch = watch(folder);
    RunSummary summary =
        new RunSummary(
            settings(),
            Cpu.here().name(),
            totals,
            watch.reached() && totals.epochs() < job.length().epochs(),
            watch.summary(),
            scores(train.inference()),
            averagedScores(),
            memory,
            estimate,
            demoted(),
            Memory.peakResident(),
            Versions.with(train.backend()));
    folder.writeSummary(summary);
    return new Ending.Completed(summary);
  }

  private TestScores scores(Inference of) {
    try (of) {
      return TestScores.of(of, data.test(), job.length().batchSize());
    }
  }

  private Optional<TestScores> averagedScores() {
    return train.loop().step().rules().ema().isPresent()
        ? Optional.of(scores(train.averagedInference()))
        : Optional.empty();
  }

  private List<TensorSpec> fullBatch() {
    return Signatures.of(data.train().sample(), job.length().batchSize());
  }

  /** Frees what it holds. Where it was started, cancels the training and waits for its end. */
  @Override
  public void close() {
    StartedRun run = started.get();
    if (run == null) {
      free();
    } else {
      run.cancel();
      run.awaitWhatever();
    }
  }

  private void free() {
    try (backend;
        batches;
        train) {
      release();
    }
  }
}
