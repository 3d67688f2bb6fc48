package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.worker.StepDiagnosis;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.TrainingJob;
import java.nio.file.Files;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/** Has steps of jobs run again, op by op. Threads may share it. */
public final class Replays {
  private final JobService jobs;
  private final JobFolders folders;
  private final Admission admission;
  private final TaskRunner tasks;
  private final Semaphore place = new Semaphore(1);

  /** Those of these jobs. */
  public Replays(JobService jobs, JobFolders folders, Admission admission, TaskRunner tasks) {
    this.jobs = jobs;
    this.folders = folders;
    this.admission = admission;
    this.tasks = tasks;
  }

  /**
   * What becomes of a step of a job that is over: the one that overflowed last, where its batch was
   * saved, else the first of its data.
   *
   * @param left is complete when nobody waits for the answer any more
   * @throws RefusedException where it cannot be run, or not now
   */
  public StepDiagnosis replay(Caller caller, String id, CompletionStage<Void> left) {
    Job job = jobs.find(caller, id);
    requireRun(job);
    if (!place.tryAcquire()) {
      throw RefusedException.unavailable("Another step is being run again, and one may at a time.");
    }
    try {
      JobSpecification trained = JobSpecification.ofJson(job.resolved());
      long bytes = admission.with(trained, TrainingJob::replayBytes);
      String run = folders.run(job.id()).toAbsolutePath().toString();
      return tasks.perform(job.id(), new Diagnose(run), bytes, left).diagnosis();
    } catch (RefusedException refused) {
      var _ = jobs.find(caller, id); // It may have been deleted since.
      throw refused;
    } finally {
      place.release();
    }
  }

  private void requireRun(Job job) {
    if (!job.state().terminal()) {
      throw RefusedException.conflict(
          "The job is " + job.state() + "; a step of one that is over can be run again.");
    }
    if (!Files.isDirectory(folders.run(job.id()))) {
      throw RefusedException.conflict("The job has left nothing that a step could be run on.");
    }
  }
}
