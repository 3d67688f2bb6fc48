package dev.halfcell.rest.service;

import dev.halfcell.backend.Backend;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.MemoryEstimate;
import dev.halfcell.zoo.run.TrainingJob;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Knows what a job will hold before it is accepted, and refuses what does not fit. Nothing of that
 * size is taken to find out, no data is read. What was found is kept for all of one kind ({@link
 * KnownKinds}). Threads may share it; all is counted on one.
 */
public final class Admission implements AutoCloseable {
  private final Limits limits;
  private final CountingThread counting = new CountingThread();
  private final Map<String, Backend> backends = new HashMap<>();
  private final KnownKinds<MemoryEstimate> known =
      new KnownKinds<>(KnownKinds.MOST_CHARACTERS, _ -> 0);

  /**
   * How much memory there is.
   *
   * @param jobBytes the most that one job may hold
   * @param machineBytes what all jobs of this machine share
   */
  public record Limits(long jobBytes, long machineBytes) {
    /** The most that a job can be given. */
    public long most() {
      return Math.min(jobBytes, machineBytes);
    }
  }

  /**
   * What a specification comes to.
   *
   * @param resolved with all defaults filled in
   * @param memory what its training will hold
   */
  public record Admitted(JobSpecification resolved, MemoryEstimate memory) {
    /** What it trains; {@code cells} for a list of cells. */
    public String network() {
      return new Assembly(resolved).network().name();
    }

    /** Its precision level. */
    public String level() {
      return new Assembly(resolved).level().label();
    }
  }

  /** One with these limits. */
  public Admission(Limits limits) {
    this.limits = limits;
  }

  /** The limits it holds jobs to. */
  public Limits limits() {
    return limits;
  }

  /**
   * Counts what a specification needs.
   *
   * @throws RefusedException where it makes no sense, or needs more than there is: with all figures
   */
  public Admitted admit(CheckedSpecification specification) {
    Admitted admitted = measured(specification::resolved, this::requireLeast);
    MemoryEstimate memory = admitted.memory();
    requireRoom("needs ", memory);
    String needs = "needs " + memory.text();
    memory
        .device()
        .ifPresent(on -> require(on.fits(), needs, on.limit(), "device " + on.name() + " has"));
    admitted
        .resolved()
        .resources()
        .memoryLimit()
        .ifPresent(
            own -> require(memory.bytes() <= own, needs, own, "its own resources.memoryLimit is"));
    return admitted;
  }

  /** Of what is far too large nothing is planned: that would take seconds. */
  private void requireLeast(TrainingJob job) {
    requireRoom("needs at least ", job.least());
  }

  private void requireRoom(String needs, MemoryEstimate memory) {
    long bytes = memory.bytes();
    String said = needs + memory.text();
    require(bytes <= limits.machineBytes(), said, limits.machineBytes(), "this machine has");
    require(bytes <= limits.jobBytes(), said, limits.jobBytes(), "the limit per job is");
  }

  private static void require(boolean fits, String needs, long limit, String whose) {
    if (!fits) {
      throw RefusedException.invalid("", needs + "; " + whose + " " + limit + " bytes");
    }
  }

  /**
   * The same without the limits.
   *
   * @throws RefusedException where it makes no sense
   */
  public Admitted measured(JobSpecification specification) {
    return measured(specification::resolved, _ -> {});
  }

  private Admitted measured(Supplier<JobSpecification> resolving, Consumer<TrainingJob> first) {
    try {
      JobSpecification resolved = resolving.get();
      return new Admitted(resolved, memory(resolved, first));
    } catch (HalfCellException refusal) {
      throw RefusedException.invalid(refusal);
    }
  }

  /** What is known is told at once, however long others are counted meanwhile. */
  private MemoryEstimate memory(JobSpecification resolved, Consumer<TrainingJob> first) {
    counting.requireOpen();
    return known.find(resolved).orElseGet(() -> counting.call(() -> counted(resolved, first)));
  }

  /** Others may have asked for the same while this waited for its turn. */
  private MemoryEstimate counted(JobSpecification resolved, Consumer<TrainingJob> first) {
    return known
        .find(resolved)
        .orElseGet(
            () -> {
              TrainingJob job = job(resolved);
              first.accept(job);
              MemoryEstimate memory = job.memory(samples(resolved));
              known.keep(resolved, memory);
              return memory;
            });
  }

  /**
   * What is told of a job that was admitted, perhaps by another server.
   *
   * @throws RefusedException where this one cannot tell: it may have no such device
   */
  <T> T with(JobSpecification resolved, Function<TrainingJob, T> told) {
    try {
      return counting.call(() -> told.apply(job(resolved)));
    } catch (HalfCellException e) {
      throw RefusedException.unavailable(e.problem().message());
    }
  }

  private TrainingJob job(JobSpecification resolved) {
    return TrainingJob.of(resolved, backend(resolved), samples(resolved).train());
  }

  private static DataSetDefinition.Size samples(JobSpecification resolved) {
    return new Assembly(resolved).network().data().size();
  }

  private Backend backend(JobSpecification resolved) {
    String key = resolved.device().orElse("auto") + " " + resolved.resources().threads().orElse(0);
    return backends.computeIfAbsent(key, _ -> TrainingJob.openLike(resolved));
  }

  /** Closes the backends that were opened to count with. */
  @Override
  public void close() {
    counting.end(
        () -> {
          backends.values().forEach(Backend::close);
          backends.clear();
        });
  }
}
