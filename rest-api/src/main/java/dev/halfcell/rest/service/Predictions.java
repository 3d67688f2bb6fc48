package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunModel;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/** Says what models of jobs make of samples. Threads may share it. */
public final class Predictions {
  /** How many are made at a time. */
  public static final int AT_ONCE = 2;

  private final JobService jobs;
  private final JobFolders folders;
  private final Artifacts artifacts;
  private final Admission admission;
  private final TaskRunner tasks;
  private final Semaphore places = new Semaphore(AT_ONCE);

  /** Those of models of these jobs. */
  public Predictions(
      JobService jobs,
      JobFolders folders,
      Artifacts artifacts,
      Admission admission,
      TaskRunner tasks) {
    this.jobs = jobs;
    this.folders = folders;
    this.artifacts = artifacts;
    this.admission = admission;
    this.tasks = tasks;
  }

  /**
   * The model of a job.
   *
   * @param level another precision level than it was trained at
   * @param half another 16-bit dtype; where one of both differs, all else of precision is as usual
   * @throws RefusedException where it has none that could be run
   */
  public TrainedModel model(
      Caller caller, String id, Optional<String> level, Optional<String> half) {
    Job job = jobs.find(caller, id);
    if (job.state() != JobState.SUCCEEDED) {
      throw RefusedException.conflict(
          "The job is " + job.state() + "; the model of one that has succeeded can be run.");
    }
    Artifacts.Artifact file =
        artifacts
            .find(job.id(), ArtifactKind.MODEL)
            .orElseThrow(() -> RefusedException.conflict("The job has no model any more."));
    JobSpecification trained = JobSpecification.ofJson(job.resolved());
    JobSpecification specification = at(trained, level, half);
    NetworkDefinition network = new Assembly(specification).network();
    requireLearned(network);
    return new TrainedModel(job, file, network, specification, !specification.equals(trained));
  }

  private static void requireLearned(NetworkDefinition network) {
    try {
      RunModel.requireLearned(network, "/job");
    } catch (ArgumentException e) {
      throw RefusedException.conflict(e.problem().message());
    }
  }

  private static JobSpecification at(
      JobSpecification trained, Optional<String> level, Optional<String> half) {
    Assembly parts = new Assembly(trained);
    String usual = parts.level().label();
    String usualHalf = parts.options().precision().half().label();
    if (level.orElse(usual).equals(usual) && half.orElse(usualHalf).equals(usualHalf)) {
      return trained;
    }
    try {
      return trained
          .with("/precision", Map.of("level", level.orElse(usual), "half", half.orElse(usualHalf)))
          .resolved();
    } catch (HalfCellException refusal) {
      String pointer = level.isPresent() ? "/level" : "/half";
      throw RefusedException.invalid(pointer, refusal.problem().message());
    }
  }

  /**
   * What a model makes of samples.
   *
   * @param top how many of the likeliest classes are told
   * @param left is complete when nobody waits for the answer any more
   * @throws RefusedException where it cannot be run, or not now
   */
  public Predicted predict(
      TrainedModel model, Samples samples, int top, CompletionStage<Void> left) {
    if (!places.tryAcquire()) {
      throw RefusedException.unavailable(
          AT_ONCE + " predictions are being made, and no more may at a time.");
    }
    try {
      long bytes =
          admission.with(model.specification(), job -> job.predictionBytes(samples.count()));
      return tasks.perform(model.job().id(), asked(model, samples, top), bytes, left);
    } catch (RefusedException refused) {
      throw refusedOf(model, refused);
    } finally {
      places.release();
    }
  }

  /** A job may have been deleted since. */
  private RefusedException refusedOf(TrainedModel model, RefusedException refused) {
    boolean there = artifacts.find(model.job().id(), ArtifactKind.MODEL).isPresent();
    return there ? refused : RefusedException.missing("job");
  }

  private Predict asked(TrainedModel model, Samples samples, int top) {
    return new Predict(
        folders.run(model.job().id()).toAbsolutePath().toString(),
        Optional.of(model.specification().json()).filter(_ -> model.otherwise()),
        samples.sizes(),
        samples.numbers(),
        samples.pixels(),
        top);
  }
}
