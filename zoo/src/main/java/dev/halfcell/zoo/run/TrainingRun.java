package dev.halfcell.zoo.run;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.profile.StepProfile;
import java.util.List;
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
  private final RunParts parts;
  private final RunTotals totals = new RunTotals();
  private final LossCurve curve = new LossCurve();
  private final AtomicReference<@Nullable StartedRun> started = new AtomicReference<>();
  private Optional<StepProfile> profile = Optional.empty();
  private Optional<RunLock> lock = Optional.empty();

  private TrainingRun(RunParts parts) {
    this.parts = parts;
  }

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
    return new TrainingRun(RunParts.open(specification, choice));
  }

  /** The most memory that it will hold, as it was found before it began. */
  public MemoryEstimate memory() {
    return parts.estimate();
  }

  /** What is trained, with all defaults filled in. */
  public JobSpecification specification() {
    return parts.specification();
  }

  /** Which cell computes how, and why. */
  public PrecisionPlan plan() {
    return parts.plan();
  }

  /** The rule of the loss scale. */
  public LossScale lossScale() {
    return parts.lossScale();
  }

  /** How its steps are run. */
  public Execution execution() {
    return parts.execution();
  }

  /** The cells that were moved to FP32 because they overflowed too often. */
  public List<CellPath> demoted() {
    return parts.demoted();
  }

  /** What the run is made with. */
  public Settings settings() {
    return parts.settings();
  }

  /** The loss over the steps that were taken. */
  public LossCurve loss() {
    return curve;
  }

  /** Whether the first offender of a step that overflows is looked for. */
  public boolean namesOffenders() {
    return parts.job().options().run().diagnosis().firstOffender();
  }

  /**
   * Has some steps of the training to come measured, task by task. It is not trained in another
   * way: bits and files are the same, but for {@code profile-trace.json}.
   *
   * @return what says when the training has ended where the time went
   * @throws dev.halfcell.tensor.ArgumentException where steps run op by op, or the device does not
   *     tell of its tasks
   */
  public StepProfile profiled() {
    StepProfile made = new StepProfile();
    parts.train().loop().watch(made);
    profile = Optional.of(made);
    return made;
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
    folder.begin(plan().explain(), parts.place(), specification());
    return training(folder).begin(progress, stop);
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
    return training(folder).restore();
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
  public Ending goOn(Resumption from, TrainListener progress, BooleanSupplier stop) {
    return training(from.folder()).goOn(from, progress, stop);
  }

  private FolderTraining training(RunFolder folder) {
    return new FolderTraining(parts, folder, totals, curve, profile);
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
  public StartedRun start(Resumption from, TrainListener progress) {
    return inThread(from.folder(), stop -> goOn(from, progress, stop));
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
    try (parts) {
      release();
    }
  }
}
